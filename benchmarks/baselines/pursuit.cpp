// Policeman and thief as the usual program has it: every pair of cells with either to move, reversed
// moves in a vector of vectors, recursive depth-first search from the ends. Values only.
//
// Input: a folder with cells.u8, the board row by row (0 blocked, 1 free, 2 exit), and its columns.
#include "common.hpp"

static std::vector<std::vector<int>> back;
static std::vector<uint8_t> degree;
static std::vector<uint8_t> value;

static void visit(int w) {
    for (int v : back[w]) {
        if (value[v] != DRAW) continue;
        if (value[w] == LOSS) {
            value[v] = WIN;
            visit(v);
        } else if (--degree[v] == 0) {
            value[v] = LOSS;
            visit(v);
        }
    }
}

static void run(const std::vector<uint8_t> &cells, int columns) {
    int area = cells.size(), rows = area / columns;
    double began = now();
    int n = 2 * area * area;
    back.resize(n);
    degree.assign(n, 0);
    value.assign(n, DRAW);
    for (int p = 0; p < area; p++) {
        for (int t = 0; t < area; t++) {
            if (!cells[p] || !cells[t]) continue;
            for (int turn = 0; turn < 2; turn++) {
                int v = (p * area + t) * 2 + turn;
                if (p == t) value[v] = turn == 0 ? WIN : LOSS;
                else if (cells[t] == 2) value[v] = turn == 0 ? LOSS : WIN;
                int from = turn == 0 ? p : t;
                for (int down = -1; down <= 1; down++) {
                    for (int right = -1; right <= 1; right++) {
                        if (turn == 1 && down && right) continue;
                        int row = from / columns + down, column = from % columns + right;
                        if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
                        int to = row * columns + column;
                        if (!cells[to]) continue;
                        int w = turn == 0 ? (to * area + t) * 2 + 1 : (p * area + to) * 2;
                        back[w].push_back(v);
                        degree[v]++;
                    }
                }
            }
        }
    }
    double built = now();
    std::vector<int> seeds;
    for (int v = 0; v < n; v++)
        if (value[v] != DRAW) seeds.push_back(v);
    for (int v : seeds) visit(v);
    double solved = now();
    // Pairs with a blocked cell are no positions; none was given a value.
    Best best;
    best.keep(built - began, solved - built, value);
    best.report(area);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    stack_as_deep_as_the_graph(argv);
    run(read_array<uint8_t>(std::string(argv[1]) + "/cells.u8"), std::atoi(argv[2]));
    return 0;
}
