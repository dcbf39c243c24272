"""The words of figures, films and links in the languages of the pages."""

# ruff: noqa: RUF001  # letters of other alphabets

BY_HAND = {
    "en": ("Six vertices, level by level", "no move: lost", "a move to a lost vertex: won",
           "all moves to won vertices: lost", "won again", "undecided: drawn"),
    "fa": ("شش رأس، سطح به سطح", "بدون حرکت: بازنده", "حرکتی به رأس بازنده: برنده",
           "همهٔ حرکت‌ها به رأس برنده: بازنده", "باز هم برنده", "تعیین‌نشده: تساوی"),
    "ru": ("Шесть вершин, уровень за уровнем", "нет хода: проигрыш", "ход в проигрышную: выигрыш",
           "все ходы в выигрышные: проигрыш", "снова выигрыш", "не определены: ничья"),
    "tr": ("Altı düğüm, düzey düzey", "hamle yok: kaybeden", "kaybedene hamle var: kazanan",
           "tüm hamleler kazanana: kaybeden", "yine kazanan", "belirlenmedi: berabere"),
    "vi": ("Sáu đỉnh, từng mức một", "không có nước đi: thua", "có nước đến đỉnh thua: thắng",
           "mọi nước đến đỉnh thắng: thua", "lại thắng", "chưa xác định: hòa"),
}  # fmt: skip
"""The title of the figure and the headings of its panels, in each language."""
COUNTERS = {
    "en": ("A counter runs down", "three moves open", "two", "one", "none: lost"),
    "fa": ("شمارنده‌ای که به صفر می‌رسد", "سه حرکت مانده", "دو حرکت", "یک حرکت", "هیچ: بازنده"),
    "ru": ("Счётчик доходит до нуля", "осталось три хода", "два", "один", "ни одного: проигрыш"),
    "tr": ("Bir sayaç sıfıra iner", "üç hamle kaldı", "iki", "bir", "hiç: kaybeden"),
    "vi": ("Bộ đếm giảm về 0", "còn ba nước", "hai", "một", "không còn: thua"),
}
"""The same of the figure of counters."""
SIX_VERTICES = {
    "en": "Six vertices",
    "fa": "شش رأس",
    "ru": "Шесть вершин",
    "tr": "Altı düğüm",
    "vi": "Sáu đỉnh",
}
COUNTER_OF_A = {
    "en": "The counter of a",
    "fa": "شمارندهٔ a",
    "ru": "Счётчик вершины a",
    "tr": "a düğümünün sayacı",
    "vi": "Bộ đếm của a",
}
FULL_SIZE = {
    "en": "in a window of its own",
    "fa": "در پنجره‌ای جداگانه",
    "ru": "в отдельном окне",
    "tr": "ayrı bir pencerede",
    "vi": "trong cửa sổ riêng",
}
NOTEBOOK = {
    "en": "This page as a notebook",
    "fa": "این صفحه به صورت دفترچهٔ ژوپیتر",
    "ru": "Эта страница как блокнот Jupyter",
    "tr": "Bu sayfa Jupyter defteri olarak",
    "vi": "Trang này dưới dạng sổ tay Jupyter",
}
