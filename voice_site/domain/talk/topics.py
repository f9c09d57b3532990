"""The words that tell what a sentence is about, and those that say nothing about it."""

from typing import Final

TOPICS: Final = {
    "CLINIC": (
        "appointment, appointments, apointment, appoinment, doctor, dr, doctors, clinic, checkup, "
        "check up, consult, consultation, dermatologist, skin, rash, acne, pimple, pimples, itch, "
        "itching, allergy, patient, physician, specialist, hair fall, fever, cough, headache, "
        "stomach ache, injury, unwell, ill, sick, swollen, swelling, toothache, sore throat, "
        "vomiting, dizzy, diabetes, blood pressure, infection, injection, vaccination, opd, "
        "follow up, pain, slot, slots, treatment, अपॉइंटमेंट, अपॉइन्टमेंट, अपाइंटमेंट, डॉक्टर, "
        "डाक्टर, डॉ, क्लिनिक, क्लीनिक, त्वचा, खुजली, दाने, मुंहासे, दर्द, बुखार, खांसी, चोट, "
        "तबीयत, khansi, tabiyat, bimar, beemar, sujan, zukam, jukam, ulti, बीमार, सूजन, जुकाम, "
        "उल्टी, इलाज, मरीज, daane, khujli, dard, bukhar, ilaaj, mareez, doctor saab, daktar, "
        "बाल झड़"
    ),
    "SHOW": "dikhana, dikhane, dikhana hai, dikhani, dikhwana, दिखाना, दिखाने, दिखानी, दिखवाना",
    "BOOK": (
        "book, booking, reserve, reservation, schedule, see, meet, milna, milenge, mil sakte, "
        "milwa, मिलना, मिलेंगे, मिल, मिलवा, बुक, बुकिंग, number laga, number lagana, "
        "number lagwana, नंबर लगा, नंबर लगाना, नंबर लगवाना, fix, available, free, khali, खाली, "
        "uplabdh, उपलब्ध, baithte, baithenge, बैठते, बैठेंगे, get in, put me down, fit me in, "
        "मुलाकात, mulakat, समय मिल, समय मिलेगा, samay milega, time milega, टाइम मिल, time mil, "
        "time de, टाइम दे, समय दे"
    ),
    "FEES": (
        "fee, fees, cost, costs, tuition, tution, charge, charges, expensive, price, expense, "
        "expenses, emi, pay, payable, instalment, instalments, installment, installments, "
        "scholarship, scholarships, financial aid, loan, concession, how much, kharcha, kharch, "
        "paisa, paise, kist, kiston, फीस, शुल्क, खर्च, खर्चा, पैसा, पैसे, किस्त, किस्तों, "
        "छात्रवृत्ति, स्कॉलरशिप, kitna lagega, kitne lagenge, kitni lagegi, kitna padega, "
        "कितना लगेगा, कितने लगेंगे, कितना पड़ेगा, kitne ka, vazifa"
    ),
    "HOSTEL": (
        "hostel, hostels, hostal, hostle, accommodation, accomodation, mess, dorm, dormitory, "
        "room, rooms, stay, lodging, warden, live on campus, boarding, rehne, rehna, rahne, rahna, "
        "kamra, kamre, हॉस्टल, होस्टल, छात्रावास, रहने, रहना, कमरा, कमरे, मेस"
    ),
    "CAMPUS": (
        "campus, college, colleges, university, institute, कॉलेज, कालेज, कैंपस, कैम्पस, "
        "विश्वविद्यालय, यूनिवर्सिटी"
    ),
    "LOOK": (
        "visit, visiting, tour, look around, come and see, show us around, see the campus, see, "
        "come, walk around, walk through, show me around, show us, take a look, have a look, "
        "visitor, visitors, dekhna, dekhne, ghoomna, ghumna, ghoomne, ghumne, ghoom, ghum, घूम, "
        "chakkar, aana, aane, dekh, देखना, देखने, घूमना, घूमने, आना, आने, चक्कर, विजिट"
    ),
    "ADMISSION": (
        "admission, admissions, admit, apply, applying, application, applications, enrol, enroll, "
        "enrolment, enrollment, eligible, eligibility, criteria, requirements, qualify, get into, "
        "merit, merit list, prospectus, brochure, intake, join, cut off, cutoff, entrance, "
        "entrance exam, exam, deadline, last date, documents, document, course, courses, "
        "programme, programmes, study, join the college, seat, seats, form, forms, padhna, padhai, "
        "dakhila, daakhila, kagaz, syllabus, register, registration, counselling, एडमिशन, दाखिला, "
        "दाखिले, प्रवेश, फॉर्म, आवेदन, कोर्स, पढ़ना, पढ़ाई, कट ऑफ, कागज, कागज़, सीट, परीक्षा, "
        "योग्यता, दस्तावेज, aakhri tareekh, last tareekh, आखिरी तारीख, अंतिम तारीख"
    ),
    "ORDER": (
        "order, orders, ordered, parcel, package, packet, shipment, delivery, deliver, delivered, "
        "track, tracking, shipped, dispatch, dispatched, courier, my stuff, consignment, item, "
        "items, awb, waybill, saman, samaan, mangwaya, mangaya, mangvaya, bheja, ऑर्डर, आर्डर, "
        "पार्सल, सामान, डिलीवरी, डिलिवरी, कूरियर, मंगवाया, मंगाया, ट्रैक"
    ),
    "STATUS": (
        "status, where is, where's, update, kahan, kahaan, kaha hai, kaha tak, kaha pahuncha, "
        "kab aayega, kab tak, kab milega, कहाँ, कब आएगा, कब तक, स्थिति, pahuncha, पहुंचा, "
        "पहुंचेगा, nikal gaya, निकल, look up, arrive, arrived, received, late, hasn't come, "
        "not come, reach, reached, expected, where has"
    ),
    "OTHER": (
        "taxi, cab, train, flight, movie, film, ticket, tickets, hotel, restaurant, table, pizza, "
        "recipe, weather, rain, joke, song, cricket, score, match, news, recharge, petrol, gold, "
        "lottery, election, mausam, baarish, chutkula, gaana, samachar, khabar, मौसम, बारिश, "
        "चुटकुला, गाना, ट्रेन, टिकट, टैक्सी, फिल्म, क्रिकेट, मैच, समाचार, खबर, होटल"
    ),
}
"""What the sentence is about; several may be said. OTHER is none of its business."""

TALK: Final = {
    "YES": (
        "yes, yess, yah, yeah, indeed, definitely, certainly, alright, all right, fine, why not, "
        "great idea, yep, yup, ya, haan, han, ha, haanji, hanji, haa, hn, haan ji, ji haan, sure, "
        "ok, okay, correct, right, that's right, thats right, exactly, perfect, sounds good, "
        "works for me, chalega, चलेगा, go ahead, confirm, confirmed, absolutely, bilkul, sahi, "
        "sahi hai, theek hai, thik hai, theek, हाँ, हां, जी हाँ, हाँ जी, बिल्कुल, सही, ठीक, "
        "ठीक है, पक्का, pakka, works, that works, of course, do it, please do"
    ),
    "NO": (
        "no, nope, nah, naa, never, not really, leave it, no need, not needed, not required, "
        "forget it, not now, not interested, don't think so, do not think so, don't like that, "
        "don't want, no way, not this, not good"
    ),
    "NAHI": "nahi, nhi, nahin, nahee, nai, mat, नहीं, नही, ना, मत",
    "NOT": "not",
    "WRONG": ("wrong, incorrect, galat, गलत, not right, cancel that, rehne do, रहने दो, रहने दीजिए"),
    "CHANGE": (
        "actually, instead, change, change it, make it, make that, i meant, i mean, i said, meant, "
        "rather, correction, by mistake, my mistake, galti se, गलती से, badal, badlo, badalkar, "
        "badlakar, matlab, mera matlab, बदल, बदलकर, बदलो, मतलब, bola tha, kaha tha, बोला था, "
        "कहा था, wait, oops, arre nahi, shift, move it"
    ),
    "KAR_DO": (
        "kar dijiye, kar do, kar de, kar den, kar dein, कर दीजिए, कर दो, कर दें, कर दे, कीजिए, kijiye"
    ),
    "INSTEAD_OF": "instead of, rather than",
    "KI_JAGAH": "ki jagah, ke badle, की जगह, के बजाय, के बदले",
    "GREET": (
        "hello, hi, hii, hey, heya, howdy, greetings, how are you, what's up, kaise ho, "
        "kaise hain, kya haal, कैसे हैं, कैसी हो, good morning, good afternoon, good evening, "
        "namaste, vanakkam, adaab, assalamualaikum, sat sri akal, kem cho, suprabhat, hlo, "
        "good day, namaskar, namaskaar, pranam, नमस्ते, नमस्कार, प्रणाम, हैलो, हेलो"
    ),
    "THANKS": (
        "thanks, thankyou, thanku, much appreciated, appreciate it, thank, thank you, thx, tysm, "
        "dhanyavaad, dhanyawad, shukriya, धन्यवाद, शुक्रिया, थैंक्यू, थैंक यू, meherbani"
    ),
    "BYE": (
        "bye, goodbye, goodnight, take care, have a nice day, have a good day, have a great day, "
        "nothing else, that will be all, see ya, c u, cya, ta ta, talk to you later, "
        "catch you later, good bye, good night, see you, chalta hoon, chalti hoon, rakhta hoon, "
        "rakhti hoon, चलता हूँ, चलती हूँ, रखता हूँ, रखती हूँ, that's all, thats all, that is all, "
        "alvida, bas itna hi, aur kuch nahi, और कुछ नहीं, khuda hafiz, phir milenge, अलविदा, बाय, "
        "फिर मिलेंगे, बस इतना ही"
    ),
    "REPEAT": (
        "repeat, say that again, say again, come again, pardon, once more, what was that, "
        "what was it, say it again, one more time, missed that, what did you say, "
        "didn't hear, didn't catch, didn't get that, did not hear, did not catch, couldn't hear, "
        "can't hear, ek baar aur, एक बार और, sunai nahi, सुनाई नहीं, phir se, fir se, dobara, "
        "dubara, kya kaha, kya bola, फिर से, दोबारा, दुबारा, क्या कहा, क्या बोला, samajh nahi, "
        "समझ नहीं, beg your pardon"
    ),
    "PERSON": (
        "human, person, someone real, somebody real, real person, agent, operator, representative, "
        "executive, supervisor, colleague, receptionist, reception, front desk, customer care, "
        "manager, speak to someone, talk to someone, speak with someone, talk with someone, "
        "speak to somebody, talk to somebody, insaan, insan, aadmi, admi, kisi se baat, insaan se, "
        "इंसान, एजेंट, आदमी, रिसेप्शन, व्यक्ति, ऑपरेटर, मैनेजर, कर्मचारी, staff"
    ),
    "IDENTITY": (
        "who are you, who am i talking to, who is this, who's this, am i speaking to, "
        "am i speaking with, am i talking to, am i talking with, who am i speaking to, "
        "are you a robot, are you a human, are you human, are you real, are you a bot, "
        "are you a machine, are you a person, are you an ai, are you ai, are you a chatbot, "
        "are you bot, you are a bot, talking to a bot, speaking to a bot, talking to a robot, "
        "talking to a machine, talking to a human, or a human, or human, or a person, "
        "or a real person, talking to a real person, ya insaan, ya koi insaan, ya aadmi, "
        "insaan ho ya, insaan hain ya, या इंसान, या कोई इंसान, इंसान हैं या, इंसान हो या, "
        "aap insaan, tum insaan, आप इंसान, तुम इंसान, are you a computer, is this a recording, "
        "ai ho, ai hai, ai hain, what are you, who made you, chatbot, bot, "
        "artificial intelligence, what can you do, what do you do, what is your name, "
        "what's your name, your name, how can you help, aap kaun, kaun ho, kaun hain aap, "
        "kaun bol raha, kaun bol rahe, kaun bol rahi, कौन बोल रहा, कौन बोल रहे, कौन बोल रही, "
        "tum kaun, kya kar sakte, kya kya kar, aapka naam, tumhara naam, machine, robot, आप कौन, "
        "कौन हो, तुम कौन, मशीन, रोबोट, क्या कर सकते, क्या क्या कर, आपका नाम, तुम्हारा नाम, "
        "what all can you do, help"
    ),
    "ANY": "any, anyone, any doctor, whoever, koi bhi, kisi bhi, कोई भी, किसी भी",
}
"""What the sentence does in the conversation."""

NAME_FRAMES: Final = {
    "NAME_IS": (
        "my name is, my name's, the name is, name is, my name, name's, mera naam, mere naam, "
        "meraa naam, naam likhiye, naam likho, naam hai, naam, name, मेरा नाम, नाम लिखिए, नाम, "
        "patient is"
    ),
    "I_AM": "i am, i'm, im, this is, call me, it's, its, it is, main, mai, मैं, myself",
    "FOR": "for",
    "SPEAKING": (
        "speaking, here, this side, bol rha, bol rhi, bol raha hu, bol rahi hu, bol raha, "
        "bol rahi, bol raha hoon, bol rahi hoon, bol raha hun, bol rahi hun, baat kar raha, "
        "baat kar rahi, बोल रहा, बोल रही, बात कर रहा, बात कर रही"
    ),
    "KE_NAAM": "ke naam, ke naam se, ke naam par, ke naam pe, के नाम, के नाम से, के नाम पर",
    "NUMBER_IS": "number, no, order number, order no, order id, id, nambar, नंबर, नम्बर, आईडी",
}

HINDI: Final = (
    "hai, hain, ho, hoon, hun, tha, thi, ka, ki, ke, ko, se, mein, kya, kab, kaise, kaun, kaunse, "
    "kitna, kitni, kitne, chahiye, mujhe, mera, meri, mere, hum, humko, aap, aapke, apke, karna, "
    "karni, kar, karo, dijiye, lagta, lagega, milta, milti, milega, sakta, sakti, sakte, sakenge, "
    "wala, wali, bhi, aur, nahi, haan, ji, bhai, batao, bata, bataiye, abhi, ghar, lena, leni, "
    "jana, jaana, hoga, hogi, gaya, gayi, aaya, aya, raha, rahi, theek, liye, yahan, bolo, boliye, "
    "kijiye, kisi, koi, arre, achha, acha, saath, sath, paas, bete, beti, naam, tak, hua, kal, "
    "parso, aaj, baje, shaam, subah, dopahar, raat, namaste, shukriya, dhanyavaad, phir, dobara, "
    "bilkul, sahi, galat, matlab, somvar, mangalvar, budhvar, guruvar, shukravar, shanivar, "
    "ravivar, itvar, saadhe, sava, paune, dedh, dhai, dikhana, milna, kahan, kaisa, kaisi, chahte, "
    "chahta, chahti, hona, wo, woh, yeh, ye, bas, sirf, chalega, chalegi, chalenge, rahega, "
    "rahegi, jagah, apna, apni, apne, apko, aapko, aapki, hamara, hamari, hamare, hamein, humein, "
    "tumhara, uska, uski, unka, unki, iska, iski, inka, zara, thoda, thodi, kuch, kyun, kyon, "
    "lekin, toh, yaar, bhaiya, ladka, ladki, ladke, ladko, ladkon, ladkiyon, bachche, bachcha, "
    "behen, patni, pitaji, mataji, karwana, karwani, karwa, lagwana, lagana, lagegi, lagenge, "
    "dena, aaunga, aaungi, aayenge, aayega, aayegi, milegi, milenge, bahut, bohot, zyada, poochna, "
    "jaanna, jaankari, saal, salana, mahine, samay, wale, walon, karenge, karunga, karungi, rha, "
    "rhi, rhe, krna, krni, kr, hu, chaiye, chahie, kese, muje, mjhe, apka, apki, btao, bta, "
    "bataye, likha, likho, liya, diya, gaye"
)
"""Words that are Hindi in Latin letters, and no English."""

ENGLISH: Final = (
    "i, you, the, a, an, is, are, am, my, your, it, to, want, need, would, like, could, can, "
    "please, at, on, in, for, of, with, what, when, where, how, which, do, does, has, have, "
    "this, that, and, not, yes, see, make, tomorrow, today, thanks, thank, much"
)
"""Words that are English, and no Hindi in Latin letters."""

FILLER: Final = (
    "a, an, the, i, we, you, he, she, it, they, me, us, him, her, my, our, your, his, their, mine, "
    "and, or, but, so, if, then, than, of, on, off, up, down, out, with, without, into, as, are, "
    "was, were, been, being, has, have, had, having, i'd, i'll, i've, we'd, can, could, will, "
    "would, should, shall, might, must, did, does, doing, done, don't, didn't, isn't, hasn't, "
    "haven't, please, pls, plz, kindly, need, needs, want, wants, like, love, give, get, got, "
    "take, tell, know, think, ask, asking, look, looking, say, said, speak, speaking, talk, "
    "talking, call, calling, let, put, set, make, go, going, went, come, coming, came, there, "
    "that, these, those, what, when, which, who, whom, whose, why, how, where, something, "
    "anything, some, somebody, someone, any, all, one's, each, every, other, another, more, most, "
    "much, many, few, only, just, also, too, very, really, still, yet, already, again, now, soon, "
    "early, late, later, fine, good, great, nice, best, better, well, bad, badly, worried, happy, "
    "sorry, excuse, um, umm, uh, er, hmm, oh, sir, madam, ma'am, mam, ji, sahab, saab, saheb, "
    "साहब, जी, son, daughter, wife, husband, mother, father, mom, mum, dad, child, baby, kid, "
    "parents, friend, brother, sister, family, new, old, next, per, year, years, yearly, month, "
    "monthly, first, student, students, girls, boys, girl, boy, calling from, from, about, "
    "interested, trying, waiting, here, not, nothing, none, possible, convenient, suits, suit, "
    "open, closed, left, thing, things, way, problem, question, details, information, info, "
    "enquiry, inquiry, actually, basically, maybe, perhaps, both, same, sure, either, able, ready, "
    "back, place, date, dates, day, days, am, है, हैं, हूँ, था, थी, थे, हो, का, की, के, को, से, "
    "में, पर, पे, और, या, भी, ही, तो, क्या, कब, कैसे, कौन, कौनसे, कितना, कितनी, कितने, चाहिए, "
    "मुझे, हमें, हम, मेरा, मेरी, मेरे, आप, आपके, तक, लिए, किसी, कोई, करना, करनी, कर, दीजिए, दे, "
    "लेना, लेनी, जाना, रहा, रही, रहे, बोल, बताइए, बताओ, बता, सकता, सकती, सकते, मिलेगा, मिलेगी, "
    "मिलता, मिलती, लगेगा, लगेंगे, चाहते, चाहता, चाहती, वाला, वाली, अभी, साथ, पास, बेटी, बेटा, "
    "बेटे, पत्नी, पति, माँ, पिता, बच्चे, अच्छा, अरे, यहाँ, घर, खुला, होगा, होगी, हुआ, हुई, गया, "
    "गई, आएगा, चलेगा, चलेगी, रहेगा, रहेंगे, अलग, सिर्फ, बस, हमारा, हमारी, हमारे, आपका, आपकी, आपको, "
    "उसका, उसकी, उनका, उनकी, इसका, इसकी, अपना, अपनी, अपने, जगह, ज़रा, थोड़ा, कुछ, सब, क्यों, "
    "लेकिन, यार, भैया, मम्मी, पापा, बहन, भाई, दोस्त, लड़का, लड़की, लड़के, लड़कों, लड़कियों, "
    "करवाना, करवानी, करवा, लगवाना, लगाना, लगेगी, बहुत, पूछना, जानना, जानकारी, साल, महीने, समय, "
    "बताइएगा, वाले, वालों, वो, यह, ये, h, mummy, papa, beta, na, de, par"
)
"""Words that say nothing here; they end a name."""
