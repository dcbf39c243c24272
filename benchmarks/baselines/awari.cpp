// Awari by one core: all boards with up to so many seeds, layer by layer, scores without remoteness.
//
// The textbook algorithm with counters, its seeds handed out by points. Predecessors are made by taking
// seeds back, so no move is stored: a byte for the score of each board, one for its open moves.
//
// Input: the number of seeds. Prints one line of JSON: for each layer the boards with a positive, a
// negative and no score, and moves that stay in their layer.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

constexpr int PITS = 6, PLACES = 2 * PITS, NONE = -128, DECIDED = 255;
using Board = int8_t[PLACES];

static uint64_t ways[PLACES + 1][64];  // boards of so many pits and seeds

static uint64_t rank_of(const Board board, int seeds) {
    uint64_t index = 0;
    for (int place = 0, left = PLACES; left > 1; place++, left--) {
        int rest = seeds - board[place];
        index += ways[left][seeds] - ways[left][rest];  // those with fewer seeds in this pit
        seeds = rest;
    }
    return index;
}

static void unrank(uint64_t index, int seeds, Board board) {
    for (int place = 0, left = PLACES; left > 1; place++, left--) {
        int rest = seeds;
        while (rest > 0 && ways[left][seeds] - ways[left][rest - 1] <= index) rest--;
        index -= ways[left][seeds] - ways[left][rest];
        board[place] = seeds - rest;
        seeds = rest;
    }
    board[PLACES - 1] = seeds;
}

static int half(const Board board, int from) {
    int seeds = 0;
    for (int place = from; place < from + PITS; place++) seeds += board[place];
    return seeds;
}

// The board after a move, as the opponent sees it. Returns the seeds captured, -1 if it is no move.
static int sow(const Board board, int origin, int others, Board target) {
    Board after;
    std::copy(board, board + PLACES, after);
    int hand = after[origin], place = origin, taken = 0;
    after[origin] = 0;
    while (hand > 0) {
        place = place + 1 < PLACES ? place + 1 : 0;
        if (place == origin) continue;
        after[place]++;
        hand--;
    }
    int last = place;
    while (place >= PITS && (after[place] == 2 || after[place] == 3)) taken += after[place--];
    int fed = half(after, PITS);
    if (taken == fed) taken = 0;  // a grand slam takes nothing
    if (others == 0 && fed == 0) return -1;
    if (taken > 0) {
        for (; last > place; last--) after[last] = 0;
    }
    for (int k = 0; k < PLACES; k++) target[k] = after[(k + PITS) % PLACES];
    return taken;
}

// Seconds of the processor, which other programs on the machine do not count in.
static double cpu() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Layer {
    int seeds;
    std::vector<int8_t> score;
    std::vector<uint8_t> open;
    uint64_t inner = 0;

    // The best move out of the layer, or the end of the game, and how many moves stay inside.
    void read(const std::vector<std::vector<int8_t>> &solved) {
        uint64_t size = ways[PLACES][seeds];
        score.assign(size, NONE);
        open.assign(size, 0);
        for (uint64_t index = 0; index < size; index++) {
            Board board, target;
            unrank(index, seeds, board);
            int mine = half(board, 0), others = seeds - mine, moves = 0, best = NONE;
            for (int origin = 0; origin < PITS; origin++) {
                if (board[origin] == 0) continue;
                int taken = sow(board, origin, others, target);
                if (taken < 0) continue;
                moves++;
                if (taken == 0) {
                    open[index]++;
                } else {
                    int rest = seeds - taken;
                    best = std::max(best, taken - solved[rest][rank_of(target, rest)]);
                }
            }
            score[index] = moves ? best : mine - others;
            inner += open[index];
        }
    }

    void solve() {
        std::vector<uint32_t> queue;
        for (int stake = seeds; stake >= 0; stake--) {
            for (uint64_t index = 0; index < score.size(); index++) {
                if (open[index] == DECIDED || std::abs(score[index]) != stake || score[index] == NONE)
                    continue;
                if (score[index] < 0 && open[index] > 0) continue;
                open[index] = DECIDED;
                queue.push_back(index);
                while (!queue.empty()) {
                    uint32_t next = queue.back();
                    queue.pop_back();
                    notify(next, stake, queue);
                }
            }
        }
        for (uint64_t index = 0; index < score.size(); index++)
            if (open[index] != DECIDED) score[index] = 0;
    }

    void notify(uint32_t index, int stake, std::vector<uint32_t> &queue) {
        Board seen, board, before, again;
        unrank(index, seeds, seen);
        for (int k = 0; k < PLACES; k++) board[k] = seen[(k + PITS) % PLACES];
        if (half(board, PITS) == 0) return;
        for (int origin = 0; origin < PITS; origin++) {
            if (board[origin]) continue;
            std::copy(board, board + PLACES, before);
            for (int place = origin;;) {
                place = place + 1 < PLACES ? place + 1 : 0;
                if (place == origin) continue;
                if (before[place] == 0) break;
                before[place]--;
                before[origin]++;
                if (place >= PITS && (board[place] == 2 || board[place] == 3)) {
                    if (sow(before, origin, half(before, PITS), again)) continue;
                }
                tell(rank_of(before, seeds), score[index] > 0, stake, queue);
            }
        }
    }

    void tell(uint64_t index, bool wins, int stake, std::vector<uint32_t> &queue) {
        if (open[index] == DECIDED) return;
        if (wins && stake > 0) {
            if (--open[index] > 0 || score[index] > -stake) return;
            score[index] = -stake;
        } else {
            score[index] = stake;
        }
        open[index] = DECIDED;
        queue.push_back(index);
    }
};

int main(int, char **arguments) {
    int most = std::atoi(arguments[1]);
    for (int pits = 1; pits <= PLACES; pits++)
        for (int seeds = 0; seeds <= most; seeds++)
            ways[pits][seeds] = seeds == 0 || pits == 1 ? 1 : ways[pits][seeds - 1] + ways[pits - 1][seeds];
    std::vector<std::vector<int8_t>> solved(most + 1);
    uint64_t boards = 0, inner = 0;
    std::printf("{\"layers\": [");
    double began = cpu();
    for (int seeds = 0; seeds <= most; seeds++) {
        Layer layer{seeds};
        layer.read(solved);
        layer.solve();
        uint64_t win = 0, loss = 0;
        for (int8_t score : layer.score) win += score > 0, loss += score < 0;
        boards += layer.score.size();
        inner += layer.inner;
        std::printf("%s[%lu, %lu, %lu]", seeds ? ", " : "", win, loss, layer.score.size() - win - loss);
        solved[seeds] = std::move(layer.score);
    }
    double seconds = cpu() - began;
    // Not getrusage, whose figure a process inherits from the one that started it.
    long peak = 0;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0) peak = std::atol(line.c_str() + 6) * 1024;
    std::printf(
        "], \"positions\": %lu, \"inner\": %lu, \"seconds\": %.6f, \"peak_bytes\": %ld}\n", boards, inner,
        seconds, peak);
}
