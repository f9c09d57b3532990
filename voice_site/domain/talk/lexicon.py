"""The words that the demonstration understands: English, Hindi, and Hindi in Latin letters.

Words of one meaning share a concept, so that one grammar reads all three: `kal`, `कल` and
`tomorrow` are TOMORROW. A word of several letters is also found in another spelling (`tokens.py`).
"""

from typing import Final

WEEKDAYS: Final = {
    "monday": "monday, mon, mondy, munday, somvar, somwar, सोमवार",
    "tuesday": (
        "tuesday, tue, tuseday, teusday, tuesdy, tues, mangalvar, mangalwar, mangal, मंगलवार, मंगल"
    ),
    "wednesday": (
        "wednesday, wed, wensday, wednsday, wedensday, wednesdy, budhvar, budhwar, budh, बुधवार, बुध"
    ),
    "thursday": (
        "thursday, thu, thrusday, thursdy, thusday, thur, thurs, guruvar, guruwar, brihaspativar, "
        "veervar, virvar, गुरुवार, बृहस्पतिवार, वीरवार"
    ),
    "friday": (
        "friday, fri, firday, fridy, frieday, shukravar, shukrawar, shukrvar, sukravar, शुक्रवार, "
        "फ्राइडे"
    ),
    "saturday": (
        "saturday, sat, saterday, saturdy, satuday, shanivar, shaniwar, sanivar, शनिवार, शनिचर, "
        "सैटरडे"
    ),
    "sunday": "sunday, sun, sundy, ravivar, raviwar, itvar, itwar, रविवार, इतवार, संडे",
}
MONTHS: Final = {
    "january": "january, jan, janvari, जनवरी",
    "february": "february, feb, farvari, फरवरी",
    "march": "march, mar, मार्च",
    "april": "april, apr, aprail, अप्रैल",
    "may": "may, mai, मई",
    "june": "june, jun, जून",
    "july": "july, jul, julai, जुलाई",
    "august": "august, aug, agast, अगस्त",
    "september": "september, sep, sept, sitambar, सितंबर, सितम्बर",
    "october": "october, oct, aktubar, अक्टूबर",
    "november": "november, nov, navambar, नवंबर, नवम्बर",
    "december": "december, dec, disambar, दिसंबर, दिसम्बर",
}
DOCTORS: Final = {
    "mehta": "mehta, mehtha, mahta, मेहता",
    "rao": "rao, raav, राव",
    "kapoor": "kapoor, kapur, kapor, कपूर",
}
COURSES: Final = {
    "engineering": (
        "engineering, engineer, btech, b tech, computer science, computer science engineering, "
        "mechanical, civil engineering, इंजीनियरिंग, इंजिनियरिंग, बीटेक, बी टेक, कंप्यूटर साइंस"
    ),
    "commerce": "commerce, bcom, b com, mcom, accounts, कॉमर्स, वाणिज्य, बीकॉम, बी कॉम",
    "science": "science, bsc, b sc, msc, physics, chemistry, साइंस, विज्ञान, बीएससी, बी एस सी",
    "arts": "arts, ba, b a, humanities, आर्ट्स, कला, बीए, बी ए",
    "management": (
        "management, mba, bba, m b a, b b a, business administration, एमबीए, बीबीए, मैनेजमेंट"
    ),
    "law": "law, llb, ll b, l l b, legal studies, kanun, vakalat, कानून, वकालत, लॉ, एलएलबी",
}
NUMBERS: Final = {
    "0": "zero, oh, shunya, sunya, sifar, शून्य, जीरो",
    "1": "one, ek, एक, वन",
    "2": "two, दो, टू",
    "3": "three, teen, tin, तीन, थ्री",
    "4": "four, char, chaar, चार, फोर",
    "5": "five, panch, paanch, पाँच, फाइव",
    "6": "six, chhah, chah, chhe, che, cheh, छह, छः, छे, सिक्स",
    "7": "seven, saat, सात, सेवन",
    "8": "eight, aath, ath, आठ, एट",
    "9": "nine, nau, नौ, नाइन",
    "10": "ten, das, dus, दस, टेन",
    "11": "eleven, gyarah, gyara, igyarah, ग्यारह",
    "12": "twelve, barah, baarah, bara, बारह",
    "13": "thirteen, terah, तेरह",
    "14": "fourteen, chaudah, चौदह",
    "15": "fifteen, pandrah, पंद्रह, पन्द्रह",
    "16": "sixteen, solah, सोलह",
    "17": "seventeen, satrah, सत्रह",
    "18": "eighteen, atharah, अठारह",
    "19": "nineteen, unnis, उन्नीस",
    "20": "twenty, bees, bis, बीस",
    "21": "ikkis, इक्कीस",
    "22": "bais, बाईस",
    "23": "teis, तेईस",
    "24": "chaubis, चौबीस",
    "25": "pachchis, pachis, पच्चीस",
    "26": "chhabbis, छब्बीस",
    "27": "sattais, सत्ताईस",
    "28": "atthais, अट्ठाईस",
    "29": "untis, उनतीस",
    "30": "thirty, tees, tis, तीस",
    "31": "ikattis, iktis, इकतीस",
    "32": "battis, बत्तीस",
    "33": "taintis, tentis, तैंतीस",
    "34": "chauntis, चौंतीस",
    "35": "paintis, पैंतीस",
    "36": "chhattis, छत्तीस",
    "37": "saintis, सैंतीस",
    "38": "adtis, artis, अड़तीस",
    "39": "untalis, उनतालीस",
    "40": "forty, fourty, chalis, चालीस",
    "41": "iktalis, इकतालीस",
    "42": "bayalis, बयालीस",
    "43": "taintalis, tentalis, तैंतालीस",
    "44": "chauvalis, chavalis, चौवालीस, चवालीस",
    "45": "paintalis, पैंतालीस",
    "46": "chhiyalis, छियालीस",
    "47": "saintalis, sentalis, सैंतालीस",
    "48": "adtalis, artalis, अड़तालीस",
    "49": "unchas, unanchas, उनचास",
    "50": "fifty, pachas, पचास",
    "51": "ikyavan, इक्यावन",
    "52": "bavan, बावन",
    "53": "tirpan, tirepan, तिरपन",
    "54": "chauvan, चौवन",
    "55": "pachpan, पचपन",
    "56": "chhappan, छप्पन",
    "57": "sattavan, सत्तावन",
    "58": "atthavan, अट्ठावन",
    "59": "unsath, उनसठ",
    "60": "sixty, saath rupaye, साठ",
    "61": "iksath, इकसठ",
    "62": "basath, बासठ",
    "63": "tirsath, तिरसठ",
    "64": "chausath, चौंसठ",
    "65": "painsath, पैंसठ",
    "66": "chhiyasath, छियासठ",
    "67": "sadsath, सड़सठ",
    "68": "adsath, अड़सठ",
    "69": "unhattar, उनहत्तर",
    "70": "seventy, sattar, सत्तर",
    "71": "ikhattar, ikahattar, इकहत्तर",
    "72": "bahattar, बहत्तर",
    "73": "tihattar, तिहत्तर",
    "74": "chauhattar, चौहत्तर",
    "75": "pachhattar, pichhattar, पचहत्तर",
    "76": "chhihattar, छिहत्तर",
    "77": "satahattar, sathattar, सतहत्तर",
    "78": "athahattar, athhattar, अठहत्तर",
    "79": "unasi, unnasi, उन्यासी, उनासी",
    "80": "eighty, assi, अस्सी",
    "81": "ikyasi, इक्यासी",
    "82": "bayasi, बयासी",
    "83": "tirasi, तिरासी",
    "84": "chaurasi, चौरासी",
    "85": "pachasi, पचासी",
    "86": "chhiyasi, छियासी",
    "87": "sattasi, सत्तासी",
    "88": "atthasi, अट्ठासी, अठासी",
    "89": "navasi, नवासी",
    "90": "ninety, nabbe, नब्बे",
    "91": "ikyanave, ikyanve, इक्यानवे",
    "92": "banave, banve, बानवे",
    "93": "tiranave, tiranve, तिरानवे",
    "94": "chauranave, chauranve, चौरानवे",
    "95": "pachanave, pachanve, पचानवे",
    "96": "chhiyanave, chhiyanve, छियानवे",
    "97": "sattanave, sattanve, सत्तानवे",
    "98": "atthanave, atthanve, अट्ठानवे",
    "99": "ninyanave, ninyanve, निन्यानवे",
}
ORDINALS: Final = {
    "1": "first, pehli, pahli, पहली",
    "2": "second",
    "3": "third",
    "4": "fourth",
    "5": "fifth",
    "10": "tenth",
    "12": "twelfth",
    "15": "fifteenth",
    "20": "twentieth",
    "30": "thirtieth",
}

TIMES: Final = {
    "TODAY": "today, aaj, आज, aj",
    "TONIGHT": "tonight",
    "TOMORROW": "tomorrow, tmrw, tmr, tomorow, tommorow, tomorrow's, kal, कल",
    "OVERMORROW": (
        "day after tomorrow, the day after, overmorrow, parso, parson, parsoon, परसों, परसो"
    ),
    "NEXT": "next, following, agle, agla, agli, अगले, अगला, अगली",
    "THIS": "this, इस",
    "LAST": "last, previous, pichle, pichla, पिछले, पिछला",
    "WEEK": "week, weeks, hafte, hafta, haftey, saptah, हफ्ते, हफ्ता, सप्ताह",
    "DAYS": "days, day, din, dino, दिन, दिनों",
    "LATER": "baad, bad, later, from now, from today, hence, बाद",
    "IN": "in, within",
    "DATE": "tareekh, tarikh, tarik, तारीख",
    "MORNING": "morning, subha, subah, savere, subeh, सुबह, सवेरे",
    "AFTERNOON": "afternoon, dopahar, dophar, dopeher, दोपहर",
    "EVENING": "evening, shaam, sham, sanjh, raat, rat, night, शाम, रात",
    "NOON": "noon, midday, 12 noon",
    "AM": "am, a m",
    "PM": "pm, p m",
    "OCLOCK": "oclock, o'clock, o clock, baje, baj, bje, bajay, बजे, बजकर, hours, hrs, hour",
    "HALF": "half",
    "QUARTER": "quarter",
    "PAST": "past",
    "TO": "to, till, til",
    "PLUS_HALF": "saadhe, sadhe, saade, sade, sarhe, saarhe, साढ़े, साढे",
    "PLUS_QUARTER": "sava, sawa, savaa, सवा",
    "LESS_QUARTER": "paune, pone, paun, पौने",
    "ONE_AND_HALF": "dedh, derh, डेढ़",
    "TWO_AND_HALF": "dhai, dhaai, adhai, ढाई, अढाई",
    "AT": "at, around, by, about, after, from, @, tak, karib, lagbhag, करीब, लगभग",
    "DOUBLE": "double, dabal, डबल",
    "TRIPLE": "triple",
    "HUNDRED": "hundred, sau, सौ",
    "PERCENT": "percent, per cent, %, pratishat, प्रतिशत, परसेंट, marks",
    "DO": "do",
}
"""The words of the grammar of days, times and numbers. `do` is 2 in Hindi, but not in English."""

PARTS: Final = {
    "MORNING": "morning",
    "AFTERNOON": "afternoon",
    "EVENING": "evening",
    "TONIGHT": "evening",
}
"""The parts of a day that are said in place of a time, or beside it."""
GRAMMAR: Final = {
    f"{kind}:{value}": phrases
    for kind, table in {
        "day": WEEKDAYS,
        "month": MONTHS,
        "number": NUMBERS,
        "ordinal": ORDINALS,
        "time": TIMES,
    }.items()
    for value, phrases in table.items()
}
"""The words of the grammar, by kind and value: `day:friday`."""
