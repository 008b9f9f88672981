#include <tactus/systems/broad_phase/candidates.hpp>

#include <tactus/systems/broad_phase/chunks.hpp>

#include <bit>
#include <utility>

namespace tactus::systems {

namespace {

constexpr std::size_t least_room = 128;
constexpr std::size_t least_bucket = 256, most_buckets = 256;
constexpr std::size_t few_pairs = 256;      // are sorted without buckets
constexpr std::size_t few_to_copy = 32768;  // by one worker
constexpr Chunks found_to_scatter{16, 2};   // chunks of a search
constexpr std::size_t buckets_at_once = 2;  // for a worker

constexpr std::size_t none = ~std::size_t{0};  // becomes -1

}  // namespace

void Candidates::clear(std::size_t objects) {
    objects_ = objects;
    shift_ = static_cast<unsigned>(std::bit_width(std::max(least_bucket, objects / most_buckets + 1) - 1));
    buckets_.assign((objects >> shift_) + 2, {});
    row_.assign(objects, 0);
    sorted_.clear();
    pairs_.clear();
    former_.clear();
}

void Candidates::start_search(std::size_t chunks) {
    // Twice of what a chunk found last, on average, so that they need not grow one by one over a long time.
    const std::size_t room = std::bit_ceil(least_room + 2 * sorted_.size() / std::max<std::size_t>(1, chunks_));
    chunks_ = chunks;
    if (found_.size() < chunks) found_.resize(chunks);
    for (std::size_t c = 0; c < chunks; ++c) {
        found_[c].clear();
        found_[c].reserve(room);
    }
}

bool Candidates::finish_search(std::span<const std::uint8_t> searched, Workers& workers) {
    sort_found(workers);
    merged_.resize(pairs_.size() + sorted_.size());
    merged_former_.resize(merged_.size());
    workers.for_chunks(bucket_count(), buckets_at_once, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) merge_bucket(i, searched);
    });
    bool changed = false;
    std::size_t total = 0;
    for (Bucket& bucket : buckets_) {
        changed |= bucket.changed;
        bucket.begin = total;
        total += bucket.size;
    }
    if (!changed) return false;

    pairs_.resize(total);
    former_.resize(total);
    const std::size_t buckets_to_copy = total < few_to_copy ? bucket_count() : buckets_at_once;
    workers.for_chunks(bucket_count(), buckets_to_copy, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Bucket& bucket = buckets_[i];
            std::copy_n(merged_.data() + bucket.room(), bucket.size, pairs_.data() + bucket.begin);
            std::copy_n(merged_former_.data() + bucket.room(), bucket.size, former_.data() + bucket.begin);
        }
    });
    for (Bucket& bucket : buckets_) bucket.old_begin = bucket.begin;
    return true;
}

void Candidates::sort_found(Workers& workers) {
    std::size_t total = 0;
    for (std::size_t c = 0; c < chunks_; ++c) total += found_[c].size();
    sorted_.resize(total);
    if (total <= few_pairs) {
        sort_few();
        return;
    }
    scattered_.resize(total);
    scatter_found(workers);
    workers.for_chunks(bucket_count(), buckets_at_once, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) sort_bucket(i);
    });
}

void Candidates::sort_few() {
    auto end = sorted_.begin();
    for (std::size_t c = 0; c < chunks_; ++c) end = std::copy(found_[c].begin(), found_[c].end(), end);
    std::sort(sorted_.begin(), sorted_.end());
    std::size_t next = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
        while (next < sorted_.size() && bucket_of(sorted_[next]) < i) ++next;
        buckets_[i].new_begin = next;
    }
}

// Into buckets. Some chunks each have places of their own in every bucket: first they count, then they put.
void Candidates::scatter_found(Workers& workers) {
    const std::size_t writers = found_to_scatter.count(chunks_);
    const auto for_all = [&](auto&& use) {
        for_each_chunk(workers, chunks_, found_to_scatter, [&](std::size_t writer, std::size_t begin, std::size_t end) {
            std::uint32_t* places = place_.data() + writer * bucket_count();
            for (std::size_t c = begin; c < end; ++c)
                for (const IndexPair& pair : found_[c]) use(places[bucket_of(pair)], pair);
        });
    };
    place_.assign(writers * bucket_count(), 0);
    for_all([](std::uint32_t& count, const IndexPair&) { ++count; });
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < bucket_count(); ++i) {
        buckets_[i].new_begin = next;
        for (std::size_t w = 0; w < writers; ++w) next += std::exchange(place_[w * bucket_count() + i], next);
    }
    buckets_.back().new_begin = next;
    for_all([this](std::uint32_t& place, const IndexPair& pair) { scattered_[place++] = pair; });
}

// By `a` with a counting sort; the few pairs of each `a` then by `b`.
void Candidates::sort_bucket(std::size_t bucket) {
    const std::size_t first = bucket << shift_, last = std::min(objects_, (bucket + 1) << shift_);
    const std::span<const IndexPair> pairs{scattered_.data() + buckets_[bucket].new_begin,
                                           scattered_.data() + buckets_[bucket + 1].new_begin};
    for (std::size_t a = first; a < last; ++a) row_[a] = 0;
    for (const IndexPair& pair : pairs) ++row_[pair.a];
    auto next = static_cast<std::uint32_t>(buckets_[bucket].new_begin);
    for (std::size_t a = first; a < last; ++a) next += std::exchange(row_[a], next);
    for (const IndexPair& pair : pairs) sorted_[row_[pair.a]++] = pair;
    IndexPair* begin = sorted_.data() + buckets_[bucket].new_begin;
    for (std::size_t a = first; a < last; ++a) {
        IndexPair* end = sorted_.data() + row_[a];
        std::sort(begin, end, [](const IndexPair& x, const IndexPair& y) { return x.b < y.b; });
        begin = end;
    }
}

// Pairs with a searched object stay if they were found again, others in any case.
void Candidates::merge_bucket(std::size_t index, std::span<const std::uint8_t> searched) {
    Bucket& bucket = buckets_[index];
    std::size_t old = bucket.old_begin, to = bucket.room();
    const std::size_t old_end = buckets_[index + 1].old_begin, found_end = buckets_[index + 1].new_begin;
    std::size_t lost = 0, added = 0;
    const auto put = [&](const IndexPair& pair, std::size_t former) {
        merged_[to] = pair;
        merged_former_[to++] = static_cast<std::int32_t>(former);
    };
    const auto keep_until = [&](std::uint64_t end) {
        for (; old != old_end && pairs_[old].key() < end; ++old) {
            if (searched[pairs_[old].a] | searched[pairs_[old].b])
                ++lost;
            else
                put(pairs_[old], old);
        }
    };
    for (std::size_t i = bucket.new_begin; i != found_end; ++i) {
        keep_until(sorted_[i].key());
        const bool known = old != old_end && pairs_[old] == sorted_[i];
        put(sorted_[i], known ? old : none);
        old += known;
        added += !known;
    }
    keep_until(~std::uint64_t{0});
    bucket.size = to - bucket.room();
    bucket.changed = lost + added > 0;
}

}  // namespace tactus::systems
