// The program a careful person writes: reversed edges in flat arrays by counting sort, counters, and a
// queue; one thread. It finds values and remoteness.
#include "common.hpp"

static void run(const Input &in, Best &best) {
    const int n = in.n;
    const size_t m = in.source.size();
    double began = now();
    std::vector<int32_t> start(n + 1, 0), back(m), degree(n, 0);
    for (size_t e = 0; e < m; e++) {
        start[in.target[e] + 1]++;
        degree[in.source[e]]++;
    }
    for (int v = 0; v < n; v++) start[v + 1] += start[v];
    {
        std::vector<int32_t> cursor(start.begin(), start.end() - 1);
        for (size_t e = 0; e < m; e++) back[cursor[in.target[e]]++] = in.source[e];
    }
    double built = now();
    std::vector<uint8_t> value(n, DRAW);
    std::vector<int32_t> remoteness(n, -1), queue(n);
    size_t head = 0, tail = 0;
    for (int v = 0; v < n; v++) {
        if (!in.terminal.empty() && in.terminal[v] != DRAW) value[v] = in.terminal[v];
        else if (degree[v] == 0) value[v] = LOSS;
        if (value[v] != DRAW) {
            remoteness[v] = 0;
            queue[tail++] = v;
        }
    }
    while (head < tail) {
        int w = queue[head++];
        for (int e = start[w]; e < start[w + 1]; e++) {
            int v = back[e];
            if (value[v] != DRAW) continue;
            bool same = !in.owner.empty() && in.owner[v] == in.owner[w];
            uint8_t seen = same ? value[w] : 3 - value[w];
            if (seen == LOSS && --degree[v] > 0) continue;
            value[v] = seen;
            remoteness[v] = remoteness[w] + 1;
            queue[tail++] = v;
        }
    }
    double solved = now();
    best.keep(built - began, solved - built, value);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    Input in(argv[1], argv[2]);
    Best best;
    for (int round = 0; round < rounds(in); round++) run(in, best);
    best.report(8L * in.source.size());
    return 0;
}
