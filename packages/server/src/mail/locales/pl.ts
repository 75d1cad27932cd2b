import type { MailMessages } from './messages.ts'

export const pl: MailMessages = {
  dir: 'ltr',
  greeting: 'Dzień dobry, {name}!',
  greetingWithoutName: 'Dzień dobry!',
  copyLink: 'Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:',
  footer: 'Wysłano przez {appName} · {host}',
  ledger: {
    number: 'Potwierdzenie',
    invoice: 'Faktura',
    creditNote: 'Nota kredytowa',
    date: 'Data',
    discount: 'Rabat',
    tax: 'Podatek',
    reverseCharge: 'Odwrotne obciążenie: podatek rozlicza nabywca.',
    total: 'Razem',
    refunded: 'Zwrócono',
    disputed: 'Kwestionowana kwota',
    answerUntil: 'Odpowiedź do',
    testMode: 'Tryb testowy: nie pobrano prawdziwych pieniędzy.',
  },
  webhookReasons: {
    gone: 'Odbiorca odpowiedział, że już nie istnieje (status 410).',
    failing: 'Od {since} odbiorca odrzucał każde zdarzenie lub nie odpowiadał.',
  },
  'verify-email': {
    subject: 'Potwierdź swój adres e-mail w {appName}',
    preview: 'Jedno kliknięcie i adres będzie potwierdzony.',
    heading: 'Potwierdź swój adres e-mail',
    body: ['Potwierdź, że ten adres należy do Ciebie, aby korzystać z konta w {appName}.'],
    button: 'Potwierdź adres',
    after: [
      'Link działa tylko raz. Czas ważności: {duration}.',
      'Jeśli to nie Ty zakładasz konto, możesz zignorować tę wiadomość.',
    ],
  },
  'email-changed-verify': {
    subject: 'Potwierdź nowy adres e-mail w {appName}',
    preview: 'Jedno kliknięcie i nowy adres będzie potwierdzony.',
    heading: 'Potwierdź nowy adres e-mail',
    body: ['Ten adres podano dla konta w {appName}. Potwierdź, że należy do Ciebie.'],
    button: 'Potwierdź adres',
    after: [
      'Link działa tylko raz. Czas ważności: {duration}.',
      'Jeśli ta zmiana nie pochodzi od Ciebie, możesz zignorować tę wiadomość.',
    ],
  },
  'reset-password': {
    subject: 'Zresetuj hasło do {appName}',
    preview: 'Ustaw nowe hasło do swojego konta.',
    heading: 'Ustaw nowe hasło',
    body: ['Ktoś, zapewne Ty, prosi o zresetowanie hasła do Twojego konta w {appName}.'],
    button: 'Ustaw nowe hasło',
    after: [
      'Link działa tylko raz. Czas ważności: {duration}.',
      'Jeśli to nie Ty, zignoruj tę wiadomość. Hasło pozostanie bez zmian.',
    ],
  },
  'change-email': {
    subject: 'Zatwierdź nowy adres e-mail konta w {appName}',
    preview: 'Adres zmieni się tylko za Twoją zgodą.',
    heading: 'Zatwierdź nowy adres e-mail',
    body: [
      'Otrzymaliśmy prośbę o zmianę adresu Twojego konta w {appName} na {newEmail}.',
      'Otwórz link w przeglądarce, w której trwa Twoja sesja.',
    ],
    button: 'Zatwierdź zmianę',
    after: [
      'Link działa tylko raz. Czas ważności: {duration}.',
      'Jeśli to nie Ty, nie otwieraj linku i zmień hasło: ktoś może korzystać z Twojego konta.',
    ],
  },
  'password-changed': {
    subject: 'Hasło do {appName} zostało zmienione',
    preview: 'Jeśli to Ty, nie musisz nic robić.',
    heading: 'Twoje hasło zostało zmienione',
    body: ['Hasło do Twojego konta w {appName} zostało właśnie zmienione. Jeśli to Ty, nie musisz nic robić.'],
    button: 'Zresetuj hasło',
    after: ['Jeśli to nie Ty, natychmiast zresetuj hasło: zakończy to również wszystkie otwarte sesje.'],
  },
  'email-changed': {
    subject: 'Adres e-mail konta w {appName} został zmieniony',
    preview: 'Jeśli to Ty, nie musisz nic robić.',
    heading: 'Twój adres e-mail został zmieniony',
    body: [
      'Twoje konto w {appName} używa teraz adresu {newEmail}. Na ten adres wiadomości nie będą już przychodzić.',
      'Jeśli to Ty, nie musisz nic robić. Jeśli nie, natychmiast skontaktuj się z obsługą {appName}.',
    ],
    after: [],
  },
  'existing-account': {
    subject: 'Masz już konto w {appName}',
    preview: 'Zaloguj się lub zresetuj zapomniane hasło.',
    heading: 'Masz już konto',
    body: [
      'Ktoś, być może Ty, próbuje założyć konto w {appName} z tym adresem. Konto już istnieje, więc nic się nie zmieniło.',
    ],
    button: 'Zaloguj się',
    after: ['Nie pamiętasz hasła? Zresetuj je tutaj: {resetUrl}', 'Jeśli to nie Ty, możesz zignorować tę wiadomość.'],
  },
  'delete-account': {
    subject: 'Potwierdź usunięcie konta w {appName}',
    preview: 'Konto zostanie usunięte tylko po potwierdzeniu.',
    heading: 'Usunąć konto?',
    body: [
      'Otrzymaliśmy prośbę o usunięcie Twojego konta w {appName}. Otwarcie linku trwale usunie konto i jego dane.',
      'Otwórz link w przeglądarce, w której trwa Twoja sesja.',
    ],
    button: 'Usuń moje konto',
    after: [
      'Link działa tylko raz. Czas ważności: {duration}.',
      'Jeśli to nie Ty, nie otwieraj linku i zmień hasło: ktoś może korzystać z Twojego konta.',
    ],
  },
  'magic-link': {
    subject: 'Twój link do logowania w {appName}',
    preview: 'Zaloguj się przyciskiem albo kodem.',
    heading: 'Zaloguj się do {appName}',
    body: ['Ktoś, zapewne Ty, chce zalogować się przy użyciu tego adresu.'],
    button: 'Zaloguj się',
    code: 'Albo wpisz ten kod tam, skąd przyszła prośba o wiadomość:',
    after: [
      'Link i kod działają tylko raz. Czas ważności: {duration}.',
      'Jeśli to nie Ty, zignoruj tę wiadomość i nikomu nie podawaj kodu: kto go zna, może zalogować się jako Ty.',
    ],
  },
  invitation: {
    subject: 'Zaproszenie do organizacji w {appName}',
    preview: 'Zobacz, kto Cię zaprasza, i zdecyduj.',
    heading: 'Masz zaproszenie',
    body: ['{inviter} zaprasza Cię do organizacji {organizationName} w {appName}.', 'Twoja rola: {role}.'],
    button: 'Zobacz zaproszenie',
    after: [
      'Zaproszenie dotyczy tylko tego adresu. Czas ważności: {duration}.',
      'Jeśli nie wiesz, kto Cię zaprasza, możesz zignorować tę wiadomość.',
    ],
  },
  'join-request': {
    subject: 'Prośba o dołączenie do Twojej organizacji w {appName}',
    preview: 'Zatwierdź prośbę albo ją odrzuć.',
    heading: 'Prośba o dołączenie',
    body: ['{requester} chce dołączyć do organizacji {organizationName} w {appName}.'],
    button: 'Zobacz prośbę',
    after: ['Dopóki nikt jej nie zatwierdzi, ta osoba nie zobaczy niczego w organizacji.'],
  },
  'join-approved': {
    subject: 'Należysz już do organizacji w {appName}',
    preview: 'Twoja prośba o dołączenie została zatwierdzona.',
    heading: 'Twoja prośba została zatwierdzona',
    body: ['Należysz już do organizacji {organizationName} w {appName}.'],
    button: 'Otwórz organizację',
    after: [],
  },
  'ownership-received': {
    subject: 'Organizacja w {appName} należy teraz do Ciebie',
    preview: 'Organizacja została Ci przekazana.',
    heading: 'Organizacja należy teraz do Ciebie',
    body: [
      'Organizacja {organizationName} w {appName} należy teraz do Ciebie i możesz w niej wszystko.',
      'Poprzedni właściciel: {previousOwner}.',
    ],
    button: 'Otwórz organizację',
    after: ['Jeśli to dla Ciebie niespodzianka, porozmawiaj z poprzednim właścicielem.'],
  },
  receipt: {
    subject: 'Potwierdzenie zakupu od {organizationName}',
    preview: 'Co zostało kupione i ile kosztowało.',
    heading: 'Potwierdzenie zakupu',
    body: ['Dziękujemy. Zamówienie dotarło do: {organizationName}.'],
    button: 'Zobacz potwierdzenie',
    after: ['Link pokazuje potwierdzenie każdemu, kto go ma: zachowaj tę wiadomość dla siebie.'],
  },
  refund: {
    subject: 'Zwrot pieniędzy od {organizationName}',
    preview: 'Ile pieniędzy wraca.',
    heading: 'Zwrot pieniędzy',
    body: [
      'Zwrócono {amount} z zapłaconych {paid}. Sprzedawca: {organizationName}. Pieniądze będą na koncie za kilka dni.',
    ],
    after: ['Nota kredytowa jest w załączniku.'],
  },
  'refund-failed': {
    subject: 'Zwrot pieniędzy w {organizationName} nie dotarł',
    preview: 'Pieniądze wróciły.',
    heading: 'Zwrot nie dotarł',
    body: [
      'Płatność została zwrócona w całości lub w części, ale pieniędzy nie udało się przekazać na konto i wróciły do sprzedawcy. Sprzedawca: {organizationName}. Proszę zapytać sprzedawcę, jak można je otrzymać.',
    ],
    after: ['Wysłana wcześniej nota kredytowa jest nieważna; jest ponownie w załączniku, z taką adnotacją.'],
  },
  'webhook-disabled': {
    subject: 'Punkt odbioru webhooków został wyłączony w {appName}',
    preview: 'Zdarzenia nie są już do niego wysyłane.',
    heading: 'Punkt odbioru webhooków został wyłączony',
    body: [
      'Punkt odbioru webhooków {endpoint} organizacji {organizationName} w {appName} został wyłączony i nic nie jest do niego wysyłane. {reason}',
    ],
    button: 'Zobacz punkt odbioru',
    after: ['Gdy odbiorca znów zacznie działać, włącz go i wyślij ponownie to, co go ominęło.'],
  },
  dispute: {
    subject: 'Zakwestionowano płatność w {appName}',
    preview: 'Trzeba odpowiedzieć na czas, inaczej pieniądze przepadną.',
    heading: 'Zakwestionowano płatność',
    body: [
      'Kupujący od organizacji {organizationName} kwestionuje płatność w swoim banku. Kto nie odpowie na czas, traci pieniądze.',
    ],
    button: 'Zobacz zamówienie',
    after: [
      'Administratorzy {appName} odpowiadają u operatora płatności i zostali powiadomieni: przekaż im dowody na czas.',
      'Dopóki spór trwa, płatności nie można zwrócić.',
    ],
  },
  inquiry: {
    subject: 'Bank pyta o płatność w {appName}',
    preview: 'Zwróć ją lub zadbaj o odpowiedź, inaczej powstanie spór.',
    heading: 'Bank pyta o płatność',
    body: [
      'Kupujący od organizacji {organizationName} zapytał swój bank o płatność. Niczego jeszcze nie cofnięto; jeśli nikt nie odpowie na czas, powstanie spór.',
    ],
    button: 'Zobacz zamówienie',
    after: [
      'Zwróć pieniądze albo przekaż na czas dowody administratorom {appName}: to oni odpowiadają u operatora płatności i zostali powiadomieni.',
    ],
  },
  'dispute-to-answer': {
    subject: 'Spór w {appName} czeka na odpowiedź',
    preview: 'Trzeba odpowiedzieć na czas, inaczej pieniądze przepadną.',
    heading: 'Spór czeka na odpowiedź',
    body: [
      'Kupujący od organizacji {organizationName} kwestionuje płatność w swoim banku albo bank o nią pyta. Jeśli nikt nie odpowie na czas, pieniądze przepadną.',
    ],
    button: 'Zobacz otwarte spory',
    after: [
      'Odpowiedzieć może tylko administrator: konto u operatora płatności należy do {appName}. Poproś organizację o dowody; ona też została powiadomiona.',
    ],
  },
}
