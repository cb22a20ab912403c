"""The code of a federation of FIDE that somebody meant who wrote another one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from pairing.rules.federations import FEDERATIONS
from pairing.rules.names import fold

_MEANT: Final = """
AFG AF; ALB AL; ALG DZ DZA; AND AD; ANG AO AGO; ARG AR; ARM AM; AUS AU; AUT AT; AZE AZ; BAN BD BGD; BAR BB BRB; BEL BE;
BIH BA; BLR BY; BOL BO; BRA BR; BUL BG BGR; CAN CA; CHI CL CHL; CHN CN; CIV CI; CMR CM; COL CO; CRC CR CRI; CRO HR HRV;
CUB CU; CYP CY; CZE CZ; DEN DK DNK; DOM DO; ECU EC; EGY EG; ENG GB GBR UK; ESA SV SLV; ESP ES; EST EE; FAI FO FRO;
FIN FI; FRA FR; GEO GE; GER DE DEU; GRE GR GRC; GUA GT GTM; HKG HK; HON HN HND; HUN HU; INA ID IDN; IND IN;
IRI IR IRN; IRL IE; IRQ IQ; ISL IS; ISR IL; ITA IT; JAM JM; JOR JO; JPN JP; KAZ KZ; KEN KE; KGZ KG; KOR KR; KOS XK XKX;
KSA SA SAU; KUW KW KWT; LAT LV LVA; LBA LY LBY; LBN LB LIB; LIE LI; LTU LT; LUX LU; MAD MG MDG; MAR MA; MAS MY MYS;
MDA MD; MEX MX; MGL MN MNG; MKD MK; MLT MT; MNC MC MCO; MNE ME; MRI MU MUS; MYA MM MMR; NCA NI NIC; NED NL NLD HOL;
NEP NP NPL; NGR NG NGA; NOR NO; NZL NZ; PAK PK; PAN PA; PAR PY PRY; PER PE; PHI PH PHL; PLE PS PSE; POL PL; POR PT PRT;
PUR PR PRI; QAT QA; ROU RO ROM; RSA ZA ZAF; RUS RU; SEN SN; SGP SG SIN; SLO SI SVN; SMR SM; SRB RS SCG YUG; SRI LK LKA;
SUD SD SDN; SUI CH CHE; SVK SK; SWE SE; SYR SY; TJK TJ; TKM TM; TPE TW TWN; TTO TT TRI; TUN TN; TUR TR; UAE AE ARE;
UGA UG; UKR UA; URU UY URY; USA US; UZB UZ; VEN VE; VIE VN VNM; YEM YE; ZAM ZM ZMB; ZIM ZW ZWE; SCO GB-SCT; WLS GB-WLS;
AUT austria autriche osterreich; BEL belgium belgique belgie; CAN canada; CHN china chine; CRO croatia croatie;
CZE czechia tchequie; DEN denmark danemark; ENG england angleterre; ESP spain espagne espana; FIN finland finlande;
FRA france; GER germany allemagne deutschland; GRE greece grece; HUN hungary hongrie; IND india inde;
IRL ireland irlande; ISR israel; ITA italy italie italia; LUX luxembourg; MAR morocco maroc; NED netherlands pays-bas;
NOR norway norvege; POL poland pologne polska; POR portugal; ROU romania roumanie; RUS russia russie;
SCO scotland ecosse; SRB serbia serbie; SUI switzerland suisse schweiz svizzera; SVK slovakia slovaquie;
SWE sweden suede; TUR turkey turquie; TUN tunisia tunisie; ALG algeria algerie; UKR ukraine;
USA etats-unis; WLS wales galles wal;
AUT oostenrijk; BEL belgien belgica belgio bélgica belgia vsf fefb svdb; CZE tschechien chequia cechia;
DEN danemark dänemark dinamarca danimarca denemarken dania; ENG inglaterra inghilterra engeland anglia;
ESP spanien spagna spanje espanha hiszpania; FIN finnland finlandia;
FRA frankreich francia frankrijk frança francja; GER alemania germania duitsland alemanha niemcy;
HUN ungarn hungria ungheria hongarije wegry; ITA italien italië włochy; IRL irland irlanda;
NED niederlande holland paises-bajos paesi-bassi nederland holandia países-baixos; NOR norwegen noruega norvegia;
POL polen polonia polônia; POR portogallo portugalia; SUI suiza suíça zwitserland szwajcaria;
SWE schweden suecia svezia zweden szwecja sverige; UKR ucrania ukraina oekraïne;
USA estados-unidos stati-uniti verenigde-staten; BRA brasil brasilien brazil brasile
"""
_AMBIGUOUS: Final = frozenset({"gb", "gbr", "uk", "scg", "yug", "lib", "sin"})
"""Codes that could be one of several federations: they are only proposed."""
_OF_SPAIN: Final = frozenset({"AND", "CAN", "MAD"})
"""Regions of Spain whose codes are also those of Andorra, Canada and Madagascar."""
_OTHERS: Final = {
    fold(other): code
    for line in _MEANT.split(";")
    for code, *others in (line.split(),)
    for other in others
}


def read_as(text: str) -> str:
    """Return FIDE's code for another code or name of a country; empty if several or unknown."""
    return "" if fold(text) in _AMBIGUOUS else suggested(text)


def suggested(text: str) -> str:
    """Return FIDE's code for a country code or name; empty if it is unknown."""
    return _OTHERS.get(fold(text).replace(" ", "-"), "")


def are_regions(cells: Collection[str], *, is_national: bool, language: str) -> bool:
    """Return whether a column headed as federation has codes of regions or clubs.

    Some of these codes are those of federations too: AND is Andalusia and Andorra. A wrong code in
    a list of federations makes no regions of them: most must be unknown, three of them at least
    unless the list is that of a federation (*is_national*). A list in Spanish (*language*) has
    several regions whose codes are all of this kind.
    """
    codes = {cell.upper() for cell in cells}
    if not codes or not all(map(str.isalpha, codes)):
        return False
    unknown = {code for code in codes if code not in FEDERATIONS and not suggested(code)}
    if unknown == codes:
        return len(codes) > 1
    if language == "es" and codes <= _OF_SPAIN:
        return is_national or len(codes) > 1
    are_most = sum(cell.upper() in unknown for cell in cells) * 2 >= len(cells)
    return (are_most and is_national) or (
        len(unknown) > 2 and (are_most or len(unknown) * 2 >= len(codes))
    )
