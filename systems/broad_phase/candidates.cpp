#include <tactus/systems/broad_phase/candidates.hpp>

#include <tactus/systems/broad_phase/chunks.hpp>

#include <bit>
#include <utility>

namespace tactus::systems {

namespace {

constexpr std::size_t least_bucket = 256, most_buckets = 256;
constexpr std::size_t few_pairs = 256;      // are sorted without buckets
constexpr std::size_t scatter_chunk = 8;    // chunks of a search
constexpr std::size_t buckets_at_once = 4;  // for a worker

}  // namespace

void Candidates::clear(std::size_t objects) {
    objects_ = objects;
    shift_ = static_cast<unsigned>(std::bit_width(std::max(least_bucket, objects / most_buckets + 1) - 1));
    buckets_.assign((objects >> shift_) + 2, {});
    row_.assign(objects, 0);
    pairs_.clear();
    former_.clear();
}

void Candidates::start_search(std::size_t chunks) {
    chunks_ = chunks;
    if (found_.size() < chunks) found_.resize(chunks);
    for (std::size_t c = 0; c < chunks; ++c) found_[c].clear();
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
    workers.for_chunks(bucket_count(), buckets_at_once, [&](std::size_t begin, std::size_t end) {
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
    const std::size_t writers = chunk_count(chunks_, scatter_chunk);
    const auto for_all = [&](auto&& use) {
        for_each_chunk(workers, chunks_, scatter_chunk, [&](std::size_t writer, std::size_t begin, std::size_t end) {
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
    const IndexPair *old = pairs_.data() + bucket.old_begin, *old_end = pairs_.data() + buckets_[index + 1].old_begin;
    const IndexPair *found = sorted_.data() + bucket.new_begin,
                    *found_end = sorted_.data() + buckets_[index + 1].new_begin;
    std::size_t to = bucket.room();
    const auto put = [&](const IndexPair& pair, std::ptrdiff_t former) {
        merged_[to] = pair;
        merged_former_[to++] = static_cast<std::int32_t>(former);
    };
    bucket.changed = false;
    while (old != old_end || found != found_end) {
        if (found == found_end || (old != old_end && *old < *found)) {
            if (searched[old->a] || searched[old->b])
                bucket.changed = true;  // lost
            else
                put(*old, old - pairs_.data());
            ++old;
        } else if (old != old_end && *old == *found) {
            put(*old, old - pairs_.data());
            ++old;
            ++found;
        } else {
            put(*found++, -1);
            bucket.changed = true;
        }
    }
    bucket.size = to - bucket.room();
}

}  // namespace tactus::systems
