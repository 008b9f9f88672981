// Candidates: the sorted list of pairs that may touch, and what becomes of it when pairs were searched anew.
//
// Pairs are sorted and merged in buckets: those whose `a` is in the same range of objects. Buckets are independent of each
// other, and the same for any number of workers.
#pragma once

#include <tactus/engine/workers.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tactus::systems {

struct IndexPair {
    std::uint32_t a = 0, b = 0;

    std::uint64_t key() const { return std::uint64_t{a} << 32 | b; }  // the same order
    bool operator==(const IndexPair&) const = default;
    auto operator<=>(const IndexPair&) const = default;
};

class Candidates {
public:
    void clear(std::size_t objects);

    std::span<const IndexPair> pairs() const { return pairs_; }  // ascending
    std::span<const std::int32_t> former() const {
        return former_;
    }  // index of each pair before the last change, or -1

    // Makes room for what each chunk of a search finds: pairs with a < b, each once, in any order.
    void start_search(std::size_t chunks);
    std::vector<IndexPair>& found(std::size_t chunk) { return found_[chunk]; }

    // Takes the search over. `searched` says for each object whether all of its pairs were searched; the others keep what
    // they have among themselves. Whether the list has changed.
    bool finish_search(std::span<const std::uint8_t> searched, Workers& workers);

private:
    struct Bucket {
        std::size_t old_begin = 0, new_begin = 0;  // of its pairs in pairs_ and in sorted_
        std::size_t begin = 0, size = 0;           // of both merged
        bool changed = false;

        std::size_t room() const { return old_begin + new_begin; }  // where it is merged: it fits in any case
    };

    std::size_t bucket_of(const IndexPair& pair) const { return pair.a >> shift_; }
    std::size_t bucket_count() const { return buckets_.size() - 1; }

    void sort_found(Workers& workers);
    void sort_few();
    void scatter_found(Workers& workers);
    void sort_bucket(std::size_t bucket);
    void merge_bucket(std::size_t bucket, std::span<const std::uint8_t> searched);

    std::size_t objects_ = 0;
    unsigned shift_ = 0;                                    // a >> shift_ is the bucket of a pair
    std::vector<Bucket> buckets_ = std::vector<Bucket>(1);  // and one behind the last
    std::vector<IndexPair> pairs_;
    std::vector<std::int32_t> former_;

    // A search: as found, by bucket, sorted, merged with pairs_.
    std::size_t chunks_ = 0;
    std::vector<std::vector<IndexPair>> found_;
    std::vector<std::uint32_t> place_;  // of the next pair of some chunks in a bucket
    std::vector<std::uint32_t> row_;    // of the next pair of an object
    std::vector<IndexPair> scattered_, sorted_, merged_;
    std::vector<std::int32_t> merged_former_;
};

}  // namespace tactus::systems
