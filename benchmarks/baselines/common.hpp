// What both baselines share: the input, the clock, and the line of JSON they print.
//
// Input is a folder of raw arrays: source.i32 and target.i32 (the edges, unsorted), and, where the
// game has them, owner.u8 and terminal.u8 (one byte a vertex). Reading them is not timed.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

enum : uint8_t { DRAW = 0, WIN = 1, LOSS = 2, TIE = 3 };

template <class T> std::vector<T> read_array(const std::string &path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return {};
    std::vector<T> data(static_cast<size_t>(file.tellg()) / sizeof(T));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(data.data()), data.size() * sizeof(T));
    return data;
}

struct Input {
    int n;
    std::vector<int32_t> source, target;
    std::vector<uint8_t> owner, terminal;
    Input(const char *folder, const char *vertices) : n(std::atoi(vertices)) {
        std::string base = std::string(folder) + "/";
        source = read_array<int32_t>(base + "source.i32");
        target = read_array<int32_t>(base + "target.i32");
        owner = read_array<uint8_t>(base + "owner.u8");
        terminal = read_array<uint8_t>(base + "terminal.u8");
    }
};

inline double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// How often a graph is solved: more than once where that takes milliseconds. The fastest counts.
inline int rounds(const Input &in) {
    size_t edges = in.source.size();
    return edges <= 100000 ? 30 : edges <= 1000000 ? 5 : 1;
}

// The fastest round: its times, and what it found.
struct Best {
    double build = 0, solve = 1e30;
    std::vector<uint8_t> value;

    void keep(double built_in, double solved_in, std::vector<uint8_t> &found) {
        if (built_in + solved_in >= build + solve) return;
        build = built_in;
        solve = solved_in;
        value.swap(found);
    }

    void report(long input_bytes) const {
        long count[4] = {0, 0, 0, 0};
        for (uint8_t v : value) count[v]++;
        // Not getrusage, whose figure a process inherits from the one that started it.
        long peak = 0;
        std::ifstream status("/proc/self/status");
        for (std::string line; std::getline(status, line);)
            if (line.rfind("VmHWM:", 0) == 0) peak = std::atol(line.c_str() + 6) * 1024;
        std::printf("{\"build\": %.6f, \"solve\": %.6f, \"peak_bytes\": %ld, \"input_bytes\": %ld, "
                    "\"win\": %ld, \"loss\": %ld, \"tie\": %ld, \"draw\": %ld}\n",
                    build, solve, peak, input_bytes, count[WIN], count[LOSS], count[TIE],
                    count[DRAW]);
    }
};

// For a recursion as deep as the graph: starts the program again with a stack as large as the system lets it be.
inline void stack_as_deep_as_the_graph(char **argv) {
    rlimit limit{RLIM_INFINITY, RLIM_INFINITY}, old;
    getrlimit(RLIMIT_STACK, &old);
    if (old.rlim_cur == RLIM_INFINITY) return;
    if (setrlimit(RLIMIT_STACK, &limit) != 0) {
        limit = old;
        limit.rlim_cur = old.rlim_max;
        setrlimit(RLIMIT_STACK, &limit);
    }
    if (!std::getenv("BASELINE_AGAIN")) {
        setenv("BASELINE_AGAIN", "1", 1);
        execv("/proc/self/exe", argv);
    }
}
