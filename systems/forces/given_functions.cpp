#include <tactus/systems/forces/given_functions.hpp>

#include <array>

namespace tactus::systems {

namespace {

template<class Map> const typename Map::mapped_type& look_up(const Map& functions, const std::string& name, Entity e) {
    const auto found = functions.find(name);
    if (found == functions.end() || !found->second)
        throw FunctionError{e, name, "there is no such function; register it with World::set_function"};
    return found->second;
}

// What a host's function throws gets a sender.
template<class F> auto call(const F& function, double x, Entity e, const std::string& name) {
    try {
        return function(x);
    } catch (const std::exception& error) { throw FunctionError{e, name, error.what()}; } catch (...) {
        throw FunctionError{e, name, "threw something that is no std::exception"};
    }
}

}  // namespace

FunctionError::FunctionError(Entity e, std::string f, const std::string& what)
    : Error{"function '" + f + "': " + what}, element{e}, function{std::move(f)} {}

double integral(const Table<double>& table, double x) {
    const auto piece = [&](double a, double b) {  // a < b within one piece
        Piecewise<double> p{table};
        p.enter(0.5 * (a + b));
        return 0.5 * (p(a) + p(b)) * (b - a);
    };
    const double low = std::min(0.0, x), high = std::max(0.0, x);
    double sum = 0.0, at = low;
    for (const double knot : table.x)
        if (knot > at && knot < high) {
            sum += piece(at, knot);
            at = knot;
        }
    if (at < high) sum += piece(at, high);
    return x < 0.0 ? -sum : sum;
}

GivenVector::GivenVector(const TimeVector& definition, const HostFunctions& functions, Entity element)
    : element_{element} {
    if (const auto* constant = std::get_if<Vec3>(&definition)) constant_ = *constant;
    if (const auto* table = std::get_if<Table<Vec3>>(&definition)) table_.emplace(*table);
    if (const auto* callback = std::get_if<Callback>(&definition)) {
        name_ = callback->function;
        callback_ = look_up(functions.vectors, name_, element);
    }
}

Vec3 GivenVector::operator()(double t) const {
    if (table_) return (*table_)(t);
    if (callback_) return call(callback_, t, element_, name_);
    return constant_;
}

GivenLaw::GivenLaw(const Law& definition, const HostFunctions& functions, Entity element) : element_{element} {
    if (const auto* factor = std::get_if<double>(&definition)) factor_ = *factor;
    if (const auto* table = std::get_if<Table<double>>(&definition)) table_.emplace(*table);
    if (const auto* callback = std::get_if<Callback>(&definition)) {
        name_ = callback->function;
        callback_ = look_up(functions.scalars, name_, element);
    }
}

double GivenLaw::operator()(double x) const {
    if (table_) return (*table_)(x);
    if (callback_) return call(callback_, x, element_, name_);
    return factor_ * x;
}

double GivenLaw::energy(double x) const {
    if (table_) return integral(table_->table(), x);
    if (!callback_) return 0.5 * factor_ * x * x;
    // Eight panels of five Gauss points: exact for polynomials up to the ninth degree
    constexpr std::array<double, 3> node{0.0, 0.5384693101056831, 0.9061798459386640};
    constexpr std::array<double, 3> weight{0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    constexpr int panels = 8;
    const double half = 0.5 * x / panels;
    double sum = 0.0;
    for (int p = 0; p < panels; ++p) {
        const double middle = half * (2 * p + 1);
        sum += weight[0] * (*this)(middle);
        for (std::size_t i = 1; i < 3; ++i)
            sum += weight[i] * ((*this)(middle - half * node[i]) + (*this)(middle + half * node[i]));
    }
    return sum * half;
}

}  // namespace tactus::systems
