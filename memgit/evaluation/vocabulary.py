"""The words that generated memories are made of: ranked vocabularies, and topics that share words.

The one rule: the same seed gives the same words on every machine. So nothing is drawn but through
`random()`, the one method whose numbers Python promises to keep, and weights are whole numbers.
"""

# ruff: noqa: SIM905 - hundreds of words read better as text than as a list

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import isqrt
from random import Random
from typing import Generic, TypeVar

Item = TypeVar("Item")

WORDS_A_MEMORY = 150
"""Words of a usual memory; the vocabulary grows with the square root of all words (Heaps)."""

TOPIC_SIZE = 40
"""Memories that share a topic, on average."""

GLUE = (
    "the to and of in a is for that with on be not this it as are by when from or if before"
    " only after at which was we but has use all one an so then no can must into longer until"
    " new while because each now does have its every any other than where will should first"
    " still more without between there under did same never two they over how also up out them"
    " their what who most both about again already since just once such may against even three"
    " our through instead always you been being nothing own during last us off too less left"
    " right"
).split()
TRADE = (
    "test file run build service branch deploy request error config user token key cache queue"
    " table index commit review merge release version server client job worker retry timeout"
    " script path folder hook session schema migration column row query lock thread process"
    " memory limit budget batch window page form button screen mobile backend frontend route"
    " handler endpoint header body response status code log trace metric alert dashboard owner"
    " team rule decision reason change rollback backup restore snapshot staging production"
    " sandbox database replica cluster node container image registry package module function"
    " class method field value default flag option setting secret password certificate domain"
    " network proxy port socket stream event message topic consumer producer schedule nightly"
    " weekly report invoice payment order booking customer account role permission audit policy"
    " draft plan note question answer example fixture mock contract integration unit coverage"
    " linter formatter compiler parser tokenizer encoder decoder renderer template locale"
    " translation currency timezone date clock interval threshold ratio sample baseline"
    " benchmark latency throughput leak crash regression workaround ticket incident postmortem"
    " freeze hotfix patch upgrade dependency lockfile wheel artifact pipeline stage runner"
    " agent prompt tool transcript summary label search ranking score snippet filter sort"
    " cursor pagination import export upload download archive checksum signature hash digest"
    " salt nonce challenge redirect cookie origin"
).split()
COMPOUNDS = (
    "設定 確認 変更 実行 追加 削除 更新 作成 処理 対応 必要 場合 問題 方法 理由 結果 環境 本番"
    " 検証 手順 開発 運用 障害 復旧 移行 接続 認証 認可 権限 承認 署名 鍵 期限 時間 時刻 日付"
    " 予約 注文 決済 請求 顧客 会員 担当 当番 連絡 報告 会議 決定 方針 規約 命名 型 関数 変数"
    " 引数 戻値 例外 履歴 記録 記憶 検索 索引 並列 同期 非同期 再試行 待機 上限 下限 閾値 件数"
    " 平均 中央値 最大 最小 性能 負荷 試験 計測 監視 警告 通知 画面 表示 入力 出力 形式 変換"
    " 文字 改行 言語 翻訳 日本語 英語 全角 半角 住所 氏名 電話 郵便 税率 端数 切捨 四捨五入"
    " 在庫 配送 返品 取消 予定 延期 中止 再開 開始 終了 途中 直前 直後 毎日 毎週 毎月 夜間 早朝"
    " 定期 手動 自動 依存 更改 版 公開 配布 保存 退避 復元 複製 分割 統合 圧縮 展開 暗号 復号"
    " 平文 秘密 公開鍵 証明書 通信 経路 制限 遮断 許可 拒否 競合 排他 解放 取得 参照 書込 読取"
    " 一覧 詳細 集計 明細 合計 差分 比較 一致 不一致"
).split()
KATAKANA = (
    "テスト サーバー データベース ユーザー エラー ログ キャッシュ キュー ブランチ コミット"
    " マージ レビュー リリース デプロイ ビルド ジョブ バッチ スクリプト ファイル フォルダ パス"
    " テーブル カラム インデックス クエリ ロック スレッド プロセス メモリ タイムアウト リトライ"
    " トークン セッション クッキー ヘッダー リクエスト レスポンス エンドポイント メッセージ"
    " イベント アラート メトリクス ダッシュボード バックアップ スナップショット コンテナ"
    " イメージ クラスタ ノード パッケージ モジュール バージョン フラグ オプション テンプレート"
    " フォーム ボタン サンプル"
).split()
KANJI = (
    "一上下中事二交京人今付代任会位体何作使例便係保信修個倍候値停側備働像先入全公共具内再写出分"
    "切初別利制則前力加動効務化区協単収取受口古句可史右各合同名向告周味品員問回困固図国土在地型"
    "域執場境増声売変外多夜大天失契女始委学安定実客室容密対導小少局展山岩島川工左差市布希帯平年"
    "度座庫庭引弱強当形影役後従得復心必応念急性悪想意感態慣成戦所手打技投抜拡持指挙捨授採探接推"
    "換携損操支改放政故数整文料断新方旅日早明星映時景暗最月有期木未末本材村条来東板果柱根格検業"
    "極構様標権横機止正歩歴残段母毎比水永求決法波注流海消深温測港減渡湖準源満潮点為無焼照版物特"
    "状独率現理生産用田由申町画界番異疑発登白的目直相省看真眼着知短石破確示社神票私移程種稿積空"
    "突立端第筆等答策算管節米系紙紹組経結絡給統絵続線編練総縦置義習者耳聞職背能自至航色花苦若英"
    "荷落葉蔵行術街衛表被装要見規視覧親角解言計討訓記訪設許訳証評試詳認語誤説読課調談論講識警議"
    "護負財責貨販買費資賛賞質赤走起超足距路身車軽転載輪輸込近返述迷追送途通速造連週進運過道達違"
    "遠適選遺部配酒里重野量金針鉄録鏡長門開間関限院除陸階際集雑難電青静非面革音響頁頂順領頭題"
    "願類風飛食館駅験高魚鳥黒"
)
_KANA = "アイウエオカキクケコサシスセソタチツテトナニハヒフヘマミムメモラリルレロワ"
_ONSETS = "b d f g h k l m n p r s t v w z".split()
_VOWELS = "a e i o u".split()
_SYLLABLES = [onset + vowel for onset in _ONSETS for vowel in _VOWELS]
_SPREAD = 7919
"""A prime, so that words of neighbouring ranks do not look alike."""


class Dice:
    """Draws from a seed, given as any parts that print alike everywhere."""

    def __init__(self, *seed: object) -> None:
        self.random = Random("/".join(map(str, seed))).random  # noqa: S311 - no secret

    def below(self, number: int) -> int:
        """A whole number from 0 up to, but without, `number`."""
        return int(self.random() * number)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self.random() * (high - low + 1))

    def chance(self, share: float) -> bool:
        """True in `share` of the cases."""
        return self.random() < share

    def pick(self, items: Sequence[Item]) -> Item:
        """One of the items, each as likely as the other."""
        return items[int(self.random() * len(items))]


class Ranked(Generic[Item]):
    """Items by rank, drawn as Zipf and Mandelbrot found: rank r as often as 1 / (r + 2.7)."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self._sums = list(accumulate(10**10 // (10 * rank + 37) for rank in range(len(items))))

    def draw(self, dice: Dice) -> Item:
        """One of the items."""
        place = dice.random() * self._sums[-1]
        return self.items[bisect(self._sums, place, 0, len(self.items) - 1)]


@dataclass(frozen=True)
class Topic:
    """What the memories of one topic talk about, in both languages: words and identifiers."""

    words: Ranked[str]
    compounds: Ranked[str]
    katakana: Ranked[str]
    identifiers: Ranked[str]


class Vocabulary:
    """All words of one generated store, which has `size` memories."""

    def __init__(self, seed: int, size: int) -> None:
        self.seed = seed
        self.size = size
        tail = 20 * isqrt(size * WORDS_A_MEMORY)
        self.english = Ranked([*GLUE, *TRADE, *map(_word, range(tail))])
        self.compounds = Ranked([*COMPOUNDS, *map(_compound, range(tail // 2))])
        self.katakana = Ranked([*KATAKANA, *map(_loanword, range(tail // 4))])
        self._topics: dict[int, Topic] = {}

    @cached_property
    def _topic_numbers(self) -> Ranked[int]:
        return Ranked(range(max(4, self.size // TOPIC_SIZE)))

    def topic(self, dice: Dice) -> Topic:
        """The topic of a memory; some topics are larger than others."""
        number = self._topic_numbers.draw(dice)
        if number not in self._topics:
            self._topics[number] = self._make(Dice(self.seed, self.size, "topic", number))
        return self._topics[number]

    def _make(self, dice: Dice) -> Topic:
        words = _some(dice, self.english.items, len(GLUE), 70)
        return Topic(
            words=Ranked(words),
            compounds=Ranked(_some(dice, self.compounds.items, 20, 50)),
            katakana=Ranked(_some(dice, self.katakana.items, 5, 20)),
            identifiers=Ranked([identifier(dice, words) for _ in range(24)]),
        )


def identifier(dice: Dice, words: Sequence[str]) -> str:
    """A name as code has it: function, class, constant, path, flag, version, ticket, host."""
    a, b, c = dice.pick(words), dice.pick(words), dice.pick(words)
    number = dice.below(900)
    forms = (
        f"{a}_{b}",
        f"{a}_{b}_{c}",
        f"{a}{b.capitalize()}{c.capitalize()}",
        f"{a.capitalize()}{b.capitalize()}",
        f"{a}_{b}".upper(),
        f"{a}/{b}.py",
        f"src/{a}/{b}_{c}.ts",
        f"tests/{a}/test_{b}.py",
        f"--{a}-{b}",
        f"{a}-{b}",
        f"v{number % 9}.{number % 17}.{number % 11}",
        f"#{number * 7 + 3}",
        f"{a}.{b}.internal:{5000 + number}",
        f"{a}.{b}()",
    )
    return dice.pick(forms)


def _some(dice: Dice, items: Sequence[str], first: int, number: int) -> list[str]:
    """Different items from place `first` on; the common ones more often than the rare ones."""
    found: dict[str, None] = {}
    room = len(items) - first
    while len(found) < min(number, room):
        found[items[first + int(room * dice.random() * dice.random())]] = None
    return list(found)


def _word(number: int) -> str:
    """The English-looking word of a number, in two to four syllables; no two numbers share one."""
    size = len(_SYLLABLES)
    number = number * _SPREAD % size**3 + size
    parts = []
    while number:
        number, place = divmod(number, size)
        parts.append(_SYLLABLES[place])
    return "".join(parts) + "nrst"[len(parts) % 4]


def _compound(number: int) -> str:
    """Two kanji; no two numbers share them."""
    first, second = divmod(number * _SPREAD % len(KANJI) ** 2, len(KANJI))
    return KANJI[first] + KANJI[second]


def _loanword(number: int) -> str:
    """Three katakana and an ending; no two numbers share them."""
    number = number * _SPREAD % len(_KANA) ** 3
    first, rest = divmod(number, len(_KANA) ** 2)
    second, third = divmod(rest, len(_KANA))
    return _KANA[first] + _KANA[second] + _KANA[third] + ("ー", "ション", "ト")[number % 3]
