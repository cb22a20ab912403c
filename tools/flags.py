"""``python -m tools.flags FOLDER``: take the flags of the federations over from circle-flags.

FOLDER is ``flags`` of the npm package circle-flags (MIT), whose files have ISO codes. The
federations of FIDE have codes of their own (GER, SUI, ENG), by which the files are named in
``static/img/flags``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent.parent / "static" / "img" / "flags"

_ISO: Final = """
AFG af; ALB al; ALG dz; AND ad; ANG ao; ANT ag; ARG ar; ARM am; ARU aw; AUS au; AUT at; AZE az;
BAH bs; BAN bd; BAR bb; BDI bi; BEL be; BEN bj; BER bm; BHU bt; BIH ba; BIZ bz; BLR by; BOL bo;
BOT bw; BRA br; BRN bh; BRU bn; BUL bg; BUR bf; CAF cf; CAM kh; CAN ca; CAY ky; CGO cg; CHA td;
CHI cl; CHN cn; CIV ci; CMR cm; COD cd; COK ck; COL co; COM km; CPV cv; CRC cr; CRO hr; CUB cu;
CUR cw; CYP cy; CZE cz; DEN dk; DJI dj; DMA dm; DOM do; ECU ec; EGY eg; ENG gb-eng; ERI er;
ESA sv; ESP es; EST ee; ETH et; FAI fo; FIJ fj; FIN fi; FRA fr; FSM fm; GAB ga; GAM gm; GBS gw;
GCI gg; GEO ge; GEQ gq; GER de; GHA gh; GRE gr; GRL gl; GRN gd; GUA gt; GUI gn; GUM gu; GUY gy;
HAI ht; HKG hk; HON hn; HUN hu; INA id; IND in; IOM im; IRI ir; IRL ie; IRQ iq; ISL is; ISR il;
ISV vi; ITA it; IVB vg; JAM jm; JCI je; JOR jo; JPN jp; KAZ kz; KEN ke; KGZ kg; KIR ki; KOR kr;
KOS xk; KSA sa; KUW kw; LAO la; LAT lv; LBA ly; LBN lb; LBR lr; LCA lc; LES ls; LIE li; LTU lt;
LUX lu; MAC mo; MAD mg; MAR ma; MAS my; MAW mw; MDA md; MDV mv; MEX mx; MGL mn; MHL mh; MKD mk;
MLI ml; MLT mt; MNC mc; MNE me; MOZ mz; MRI mu; MTN mr; MYA mm; NAM na; NCA ni; NCL nc; NED nl;
NEP np; NGR ng; NIG ne; NOR no; NRU nr; NZL nz; OMA om; PAK pk; PAN pa; PAR py; PER pe; PHI ph;
PLE ps; PLW pw; PNG pg; POL pl; POR pt; PRK kp; PUR pr; QAT qa; ROU ro; RSA za; RUS ru; RWA rw;
SAM ws; SCO gb-sct; SEN sn; SEY sc; SGP sg; SKN kn; SLE sl; SLO si; SMR sm; SOL sb; SOM so;
SRB rs; SRI lk; SSD ss; STP st; SUD sd; SUI ch; SUR sr; SVK sk; SWE se; SWZ sz; SYR sy; TAN tz;
TGA to; THA th; TJK tj; TKM tm; TLS tl; TOG tg; TTO tt; TUN tn; TUR tr; UAE ae; UGA ug; UKR ua;
URU uy; USA us; UZB uz; VAN vu; VEN ve; VIE vn; VIN vc; WLS gb-wls; YEM ye; ZAM zm; ZIM zw
"""
ISO_CODES: Final = dict(pair.split() for pair in _ISO.split(";"))
"""The ISO code of each federation. FIDE's own flag and those of Chinese Taipei and of the
Netherlands Antilles are not in the set."""


def main(arguments: list[str]) -> int:
    (source,) = map(Path, arguments)
    for federation, code in ISO_CODES.items():
        text = (source / f"{code}.svg").read_text(encoding="utf-8")
        (FOLDER / f"{federation}.svg").write_text(text.strip() + "\n", encoding="utf-8")
    print(f"{len(ISO_CODES)} flags")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
