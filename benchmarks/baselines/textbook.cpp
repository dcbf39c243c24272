// The program most people write: reversed edges in a vector of vectors, recursive depth-first search
// from the decided vertices. It finds values only, no remoteness.
#include "common.hpp"

static std::vector<std::vector<int>> back;
static std::vector<int> degree;
static std::vector<uint8_t> value;
static const std::vector<uint8_t> *owner;

static void visit(int w) {
    for (int v : back[w]) {
        if (value[v] != DRAW) continue;
        bool same = !owner->empty() && (*owner)[v] == (*owner)[w];
        uint8_t seen = same ? value[w] : 3 - value[w];
        if (seen == WIN) {
            value[v] = WIN;
            visit(v);
        } else if (--degree[v] == 0) {
            value[v] = LOSS;
            visit(v);
        }
    }
}

static void run(const Input &in, Best &best) {
    back = {};
    double began = now();
    back.resize(in.n);
    degree.assign(in.n, 0);
    for (size_t e = 0; e < in.source.size(); e++) {
        back[in.target[e]].push_back(in.source[e]);
        degree[in.source[e]]++;
    }
    double built = now();
    value.assign(in.n, DRAW);
    owner = &in.owner;
    std::vector<int> seeds;
    for (int v = 0; v < in.n; v++) {
        if (!in.terminal.empty() && in.terminal[v] != DRAW) value[v] = in.terminal[v];
        else if (degree[v] == 0) value[v] = LOSS;
        if (value[v] != DRAW) seeds.push_back(v);
    }
    for (int v : seeds) visit(v);
    double solved = now();
    best.keep(built - began, solved - built, value);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    stack_as_deep_as_the_graph(argv);
    Input in(argv[1], argv[2]);
    Best best;
    for (int round = 0; round < rounds(in); round++) run(in, best);
    best.report(8L * in.source.size());
    return 0;
}
