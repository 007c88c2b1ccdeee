"""The variants that hanab.live offers: their codes, made by a few rules, with their names and numbers.

Most are families: some ordinary suits, at most one special suit, and one modifier; or two special suits; or suits that
share colours. The numbers come from the years in which the site added them, so they are a table of ours, in the order
of this listing.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence, Set
from functools import cache

from handful.hanabi.modifiers import Modifiers
from handful.hanabi.suits import BLACK, DARK_SPECIALS, LIGHT_SPECIALS, SUITS

# The ordinary suits of a variant, by how many there are.
ORDINARY = {6: "R+Y+G+B+P+T", 5: "R+Y+G+B+P", 4: "R+Y+G+B", 3: "R+G+B", 2: "R+B", 1: "R"}
LIGHT = tuple(suit.code for suit in LIGHT_SPECIALS)
# With Black, the suits with one of each card: they are in variants of five or six suits only.
DARK = (BLACK.code, *(suit.code for suit in DARK_SPECIALS))

ANY_SIZE, LARGE, LARGEST = (6, 5, 4, 3), (6, 5), (6,)

# Suits whose hint does not say where a card is built, or which value hints do not touch, are not reversed.
_NEVER_REVERSED = {"Pi", "Br", "Om", "Nu", "BrRa", "WhPi", "Pi1", "Br1", "Om1", "Nu1", "BrRa1", "WhPi1"}
_NO_SYNESTHESIA = {"Pi", "Om", "BrRa", "WhPi", "Pr", "Pi1", "Om1", "BrRa1", "WhPi1", "Pr1"}

# Suits that share colours: how a family is called, its suits, and the special suits that it has no variant with.
_AMBIGUOUS, _VERY, _EXTREMELY = "Ambiguous", "Very Ambiguous", "Extremely Ambiguous"
_NESTED = ("R2", "DRY3", "DRYG", "DRYGB", "DRYGBP", "DRYGBPT")
_ALONE = {*LIGHT, *DARK}
_SHARED: tuple[tuple[str, str, set[str]], ...] = (
    (_AMBIGUOUS, "AR1+AR2+AG1+AG2+AB1+AB2", _ALONE),
    (_AMBIGUOUS, "AR1+AR2+AB1+AB2", set()),
    (_AMBIGUOUS, "AR1+AR2", {"", "Ra", "Pr", *DARK}),
    (_VERY, "AR1+AR2+AR3+AB1+AB2+AB3", _ALONE),
    (_VERY, "AB1+AB2+AB3", {"Ra", "Pr", *DARK}),
    (_EXTREMELY, "EB1+EB2+EB3+EB4+EB5+EB6", _ALONE),
    (_EXTREMELY, "EB1+EB2+EB3+EB4+EB5", {"Ra", "Pr", "Pr1"}),
    (_EXTREMELY, "EB1+EB2+EB3+EB4", {"Ra", "Pr", "Pr1"}),
    ("Dual-Color", "DRY+DRB+DRK+DYB+DYK+DBK", _ALONE),
    ("Dual-Color", "DRY+DYG+DGB+DBP+DRP", set()),
    ("Dual-Color", "DRY+DRB+DYB", set(DARK)),
    ("Matryoshka", "+".join(_NESTED), _ALONE),
    ("Matryoshka", "+".join(_NESTED[:5]), set()),
    ("Matryoshka", "+".join(_NESTED[:4]), set()),
    ("Matryoshka", "+".join(_NESTED[:3]), set(DARK)),
    ("Matryoshka", "+".join(_NESTED[:2]), {"", *DARK}),
)
_FAMILY_OF = {suits: name for name, suits, _without in _SHARED}

# Variants with a name of their own.
_MIXES = {
    "DRY+DRB+DYB+Bk+Ra+Wh": "Dual-Color Mix",
    "AR1+AR2+AB3+AB2+Bk+Wh": "Ambiguous Mix",
    "DRY2+DRY+DRB2+DRB+DYG+DYG2": "Ambiguous & Dual-Color Mix",
    "Bk+Ra+Pi+Wh+Br": "Special Mix (5 Suits)",
    "Bk+Ra+Pi+Wh+Br+Nu": "Special Mix (6 Suits)",
    "R+DRY+Y+Wh+Br": "Candy Corn Mix (5 Suits)",
    "R+DRY+Y+Wh+Br+BrRa1": "Candy Corn Mix (6 Suits)",
    "Pi1+G+Wh+AB3+AB2": "Holiday Mix (5 Suits)",
    "WhPi+R+G+Wh+AB3+AB2": "Holiday Mix (6 Suits)",
    "R+Pi+Wh+WhPi+BrRa1": "Valentine Mix (5 Suits)",
    "R+Pi+Wh+WhPi+BrRa1+Nu": "Valentine Mix (6 Suits)",
    "R+DRG+G+DGB+B+DRB": "RGB Mix (6 Suits)",
}
_REVERSED_WHITE = ("R+Y+G+B+Wh:R+Ra", "R+G+B+Wh:R+Ra", "R+B+Wh:R+Ra")

_ON_EVERY_DECK = ("R1", "P1", "W1", "B1", "O1", "N1", "M1", "L1", "R5", "P5", "W5", "B5", "O5", "N5", "M5", "L5")
_ON_ORDINARY_SUITS = ("CB", "NB", "TB", "CM", "NM", "CP", "Du")

# hanab.live's numbers, in the order of this listing: a-b stands for a, a + 1, …, b.
_IDS = """
1 0 15 18 3 16-17 19 106-109 13 22 26-27 69-72 176-183 160-167 1464-1467 2130-2133 2 21 11 23 137-138 59 58 89-90
242-243 255-256 290-293 1468-1469 2134-2135 1342-1345 1348-1351 1356-1359 1663-1666 2365-2368 1346-1347 1380-1381
1384-1385 1667-1668 2369-2370 2127-2129 65-66 118-119 63-64 73-74 186-189 758-759 780-781 1470-1471 12 139 60 91 244
257 826 839 1472 120-122 149 6 28-29 75-78 190-192 194-196 1292-1294 782-784 1473-1475 2136-2139 140-141 67-68 92-93
245-246 258-259 1300-1301 840-841 1477-1478 2140-2141 123-130 198-205 760-763 1296-1299 1479-1482 2142-2145 131-136
247-248 260-261 827-828 1302-1303 1483-1484 2146-2147 79-82 206-213 764-767 786-789 1485-1487 2148-2151 83-84 142-143
94-95 249-250 262-263 829-830 842-843 1489-1490 2152-2153 214-221 768-771 790-793 1491-1494 2154-2157 85-86 144-145
87-88 251-252 264-265 831-832 844-845 1495-1496 2158-2159 222-225 772-775 794-797 1497-1499 2160-2163 226-227 230-231
234-235 238-239 266-267 833-834 846-847 1501-1502 2164-2165 776-779 798-801 1503-1505 2166-2169 228-229 232-233
236-237 240-241 253-254 835-836 848-849 1507-1508 2170-2171 802-805 1509-1511 2172-2175 1304-1305 808-811 814-815
818-819 822-823 850-851 1513-1514 2176-2177 1515-1517 2178-2181 806-807 1306-1307 812-813 816-817 820-821 824-825
837-838 1519-1520 2182-2187 1521-1536 2188-2207 146 62 96 268-269 1308 852 1537 2208 147-148 270-271 853 1309 1538
2209 97 272-273 854-855 1539 2210 274-275 856-857 1540 2211 276 858-859 1541 2212 860-861 1542 2213 862 1543 2214 1544
2215-2216 8 30 32 1354 31 1361 1363 1365 1367 1369 1641 2325 1352 1371-1378 1643 2327 1355 1360 1362 1364 1366 1368
1370 2326 9 287 1390 1393 1396 1399 1402 1405 1408 2328 288-289 1388 1391 1394 1397 1400 1403 1406 2329 1379 1409 1411
1413 1415 1417 1419 1421 1423 2331 282 1389 1392 1395 1398 1401 1404 1407 2330 1382 1410 1412 1414 1416 1418 1420 1422
1424 2332 4 36 5 1426 1428 1430 1432 1434 1436 1438 1649 2339 1425 1440-1447 1651 2341 37-38 1427 1429 1431 1433 1435
1437 1439 1650 2340 150 193 1488 1518 2023 2027 2031 2035 2039 2043 2047 2333 1295 2051 2053 2055 2057 2059 2061 2063
2065 2067 2337 197 1500 2020 2024 2028 2032 2036 2040 2044 2048 2334 1476 2052 2054 2056 2058 2060 2062 2064 2066 2068
2338 785 1506 2021 2025 2029 2033 2037 2041 2045 2049 2335 1512 2022 2026 2030 2034 2038 2042 2046 2050 2336 7 20 184
159 185 2016-2019 2069-2071 10 33-35 102-105 151-154 110-117 98-101 54-57 168-171 294-297 172-175 298-313 867-874
1545-1548 2217-2220 1310-1311 314-325 875-878 1549-1550 2221-2222 326-353 879-886 1551-1554 2223-2226 1312-1313
354-365 887-890 1555-1556 2227-2228 366-393 891-898 1557-1560 2229-2232 1314-1315 394-405 899-902 1561-1562 2233-2234
406-433 903-910 1563-1566 2235-2238 1316-1317 434-445 911-914 1567-1568 2239-2240 446-473 915-922 1569-1572 2241-2244
1320-1321 474-485 923-926 1573-1574 2245-2246 486-513 927-934 1575-1578 2247-2250 1326-1327 514-525 935-938 1579-1580
2251-2252 1011-1046 1581-1584 2253-2256 1330-1331 1047-1062 1585-1586 2257-2258 1063-1098 1587-1590 2259-2262
1334-1335 1099-1114 1591-1592 2263-2264 526-553 939-946 1593-1596 2271-2274 1318-1319 554-565 947-950 1597-1598
2275-2276 45-46 49-50 39 14 47-48 566-585 951-958 1599-1602 2277-2280 1322-1323 586-597 959-962 1603-1604 2281-2282
598-625 963-970 1605-1608 2283-2286 1324-1325 626-637 971-974 1609-1610 2287-2288 638-665 975-982 1611-1614 2289-2292
1328-1329 666-677 983-986 1615-1616 2293-2294 678-705 987-994 1617-1620 2295-2298 1332-1333 706-717 995-998 1621-1622
2299-2300 718-745 999-1006 1623-1626 2301-2304 1336-1337 746-757 1007-1010 1627-1628 2305-2306 1115-1150 1629-1632
2307-2310 1338-1339 1151-1166 1633-1634 2311-2312 1167-1202 1635-1638 2313-2316 1340-1341 1203-1218 1639-1640
2317-2318 1671-1674 1677-1712 2265-2268 1675-1676 1713-1730 2269-2270 1731-1734 1737-1772 2319-2322 1735-1736
1773-1790 2323-2324 283-286 1246-1277 1652-1655 2347-2350 1244-1245 1448-1463 1656-1657 2351-2352 1646 1808 1812 1816
1842-1877 2353-2356 1820 1841 1878-1895 2357-2358 1896-1899 1902-1937 2378-2381 1900-1901 1938-1955 2382-2383
1956-1959 1962-1997 2384-2387 1960-1961 1998-2015 2388-2389 40 24-25 43 155-156 41-42 157-158 277-278 61 44 863-866
1669-1670 2371-2372 2107-2116 2373 1821-1840 2342-2343 1645 1807 1811 1815 1819 2102-2106 2344 2393-2394 2396-2415
2395 2416-2425 51-53 1278-1291 1219 1658-1659 2345-2346 279-281 1220-1243 1660-1662 2374-2376 2117-2126 2377 1353 1383
1386-1387 1647-1648 1791-1804 2359-2362 1642 1644 1805-1806 1809-1810 1813-1814 1817-1818 2363-2364 2072 2092 2074
2093 2075 2094 2076 2095 2077 2096 2078 2097 2079 2098 2080 2099 2081 2100 2082 2101 2391 2390 2073 2083-2091 2392
"""


def listed_codes() -> Iterator[str]:
    """Yield the codes of all variants of hanab.live, family by family.

    >>> sum(1 for code in listed_codes())
    2426
    """
    yield from _with_one_special("", ANY_SIZE, ANY_SIZE, LARGE)
    yield from _with_one_special(":R", ANY_SIZE, ANY_SIZE, LARGE, _NEVER_REVERSED)
    yield from _REVERSED_WHITE
    yield from _with_two_specials()
    yield from _with_shared_colours()
    yield from _MIXES
    for code in _ON_ORDINARY_SUITS:
        yield from _with_one_special(f",{code}", ANY_SIZE, (), ())
    for code in (*_ON_EVERY_DECK, "D1", "D5", "AC", "OE", "Fu", "Ch"):
        yield from _with_one_special(f",{code}", ANY_SIZE, ANY_SIZE, LARGE)
    for code in ("UD", "C4", "S1"):
        yield from _with_one_special(f",{code}", LARGE, LARGE, LARGEST)
    yield from _with_one_special(",CS", LARGE, LARGE, ())
    yield from _with_one_special(",TH", (6, 5, 4), (6, 5, 4), LARGEST)
    yield from _with_one_special(",NM,Sy", ANY_SIZE, ANY_SIZE, LARGE, _NO_SYNESTHESIA)
    yield from _with_one_special(",Su", (5, 4), (5, 4), (5,))


def _with_one_special(
    tail: str, plain: Sequence[int], light: Sequence[int], dark: Sequence[int], without: Set[str] = frozenset()
) -> Iterator[str]:
    """Yield ordinary suits alone, and with each special suit, in decks of so many suits."""
    for size in plain:
        yield ORDINARY[size] + tail
    for special in (*LIGHT, *DARK):
        if special not in without:
            for size in dark if special in DARK else light:
                yield f"{ORDINARY[size - 1]}+{special}{tail}"


def _with_two_specials() -> Iterator[str]:
    specials = (BLACK.code, *LIGHT, *DARK[1:])
    for place, first in enumerate(specials):
        for second in specials[place + 1 :]:
            if second == f"{first}1" or (first == BLACK.code and second.startswith("Or")):
                continue  # a suit and its dark one; Black and Orange
            num_dark = (first in DARK) + (second in DARK)
            for size in (ANY_SIZE, LARGE, LARGEST)[num_dark]:
                # Beside one ordinary suit alone, Rainbow and Prism are that suit again.
                is_too_like = {first, second} & {"Ra", "Pr"} and not (_has_hint(first) or _has_hint(second))
                if size > 3 or not is_too_like:
                    yield f"{ORDINARY[size - 2]}+{first}+{second}"


def _has_hint(code: str) -> bool:
    return bool(SUITS[code].own_hints)


def _with_shared_colours() -> Iterator[str]:
    for _name, suits, without in _SHARED:
        if "" not in without:
            yield suits
        yield from (f"{suits}+{special}" for special in (*LIGHT, *DARK) if special not in without)


# Names


def name_of_code(code: str) -> str:
    """Return the name that hanab.live gives the variant of a code.

    >>> name_of_code("R+Y+G+B+Pi,R1"), name_of_code("AR1+AR2+Or"), name_of_code("R+G+B+Bk:R")
    ('Rainbow-Ones & Pink (5 Suits)', 'Ambiguous & Orange (3 Suits)', 'Black Reversed (4 Suits)')
    """
    suits_code, *modifiers = code.split(",")
    if code in _MIXES:
        return _MIXES[code]
    suits = suits_code.split("+")
    family, specials = _family(suits)
    said = [Modifiers.parse(modifiers).name, family, *map(_special_name, specials)]
    if not specials and suits[-1].endswith(":R"):
        said.append("Reversed")
    said = [each for each in said if each]
    if not said:
        return "No Variant" if len(suits) == 5 else f"{len(suits)} Suits"
    return f"{' & '.join(said)} ({len(suits)} Suits)"


def _family(suits: list[str]) -> tuple[str, list[str]]:
    """Return how the first suits are called together (empty: ordinary), and the special ones after them."""
    plain = [each.removesuffix(":R") for each in suits]
    for length in range(len(plain), 0, -1):
        beginning = "+".join(plain[:length])
        if beginning in _FAMILY_OF:
            return _FAMILY_OF[beginning], suits[length:]
        if beginning in ORDINARY.values():
            return "", suits[length:]
    return "", suits


def _special_name(code: str) -> str:
    suit_code, colon, _direction = code.partition(":")
    return SUITS[suit_code].name + (" Reversed" if colon else "")


# The list


@cache
def live_variants() -> tuple[tuple[str, str, int], ...]:
    """Return name, code and number of every variant of hanab.live, in the order of the numbers.

    >>> live_variants()[1343]
    ('Reversed (5 Suits)', 'R+Y+G+B+P:R', 1343)
    """
    numbers: list[int] = []
    for run in _IDS.split():
        first, _, last = run.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    listed = zip(listed_codes(), numbers, strict=True)
    return tuple(sorted(((name_of_code(code), code, number) for code, number in listed), key=lambda each: each[2]))


LAST_ID = 2425


@cache
def _by_name() -> dict[str, tuple[str, str, int]]:
    return {each[0].lower(): each for each in live_variants()}


@cache
def _by_code() -> dict[str, tuple[str, str, int]]:
    return {each[1].lower(): each for each in live_variants()}


def with_name(name: str) -> tuple[str, str, int] | None:
    """Return the variant of a name; capitals do not matter."""
    return _by_name().get(name.lower())


def with_code(code: str) -> tuple[str, str, int] | None:
    """Return the variant of a code; capitals do not matter."""
    return _by_code().get(code.lower())


def with_id(live_id: int) -> tuple[str, str, int] | None:
    """Return the variant of a number."""
    return live_variants()[live_id] if 0 <= live_id <= LAST_ID else None


def search(words: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return the variants in whose name all these words occur, or whose code or number is one of them.

    >>> [name for name, code, live_id in search(["omni", "null-fives", "4"])]
    ['Null-Fives & Omni (4 Suits)']
    """
    wanted = [word.lower() for word in words]

    def matches(each: tuple[str, str, int]) -> bool:
        name, code, live_id = each[0].lower(), each[1].lower(), str(each[2])
        return all(word in name or word == code or word in (live_id, f"id:{live_id}") for word in wanted)

    return [each for each in live_variants() if matches(each)]


def nearest_names(text: str, most: int = 5) -> list[str]:
    """Return the names most like a text; first those that have all its words.

    >>> nearest_names("Rainbow and Omni")[0]
    'Rainbow & Omni (6 Suits)'
    """
    words = [word.strip("()&,").lower() for word in text.split()]
    found = [each[0] for each in search([word for word in words if word and word != "and"])][:most] if words else []
    if len(found) < most:
        names = {each[0].lower(): each[0] for each in live_variants()}
        close = difflib.get_close_matches(text.lower()[:80], list(names), n=most, cutoff=0.5)
        found += [names[each] for each in close if names[each] not in found]
    return found[:most] or ["No Variant", "6 Suits", "Rainbow (5 Suits)", "Custom (2 suits, copies 3 2 1)"]
