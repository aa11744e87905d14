"""The minimax that tutorials teach: finds the first move on the empty board and prints how many seconds that took."""

import time

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def minimax(board, mark, me, rival):
    won = winner(board)
    if won == me:
        return 1
    if won == rival:
        return -1
    if " " not in board:
        return 0
    values = []
    for square in range(9):
        if board[square] == " ":
            board[square] = mark
            values.append(minimax(board, rival if mark == me else me, me, rival))
            board[square] = " "
    return max(values) if mark == me else min(values)


def best_move(board, me, rival):
    best, best_value = None, -2
    for square in range(9):
        if board[square] == " ":
            board[square] = me
            value = minimax(board, rival, me, rival)
            board[square] = " "
            if value > best_value:
                best, best_value = square, value
    return best


began = time.perf_counter()
assert best_move([" "] * 9, "X", "O") == 0
print(time.perf_counter() - began)
