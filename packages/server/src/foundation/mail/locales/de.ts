import type { MailMessages } from './messages.ts'

export const de: MailMessages = {
  dir: 'ltr',
  greeting: 'Guten Tag {name},',
  greetingWithoutName: 'Guten Tag,',
  copyLink: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  footer: 'Gesendet von {appName} · {host}',
  ledger: {
    number: 'Beleg',
    invoice: 'Rechnung',
    creditNote: 'Gutschrift',
    date: 'Datum',
    buyer: 'Rechnung an',
    discount: 'Rabatt',
    tax: 'Steuer',
    reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
    total: 'Gesamt',
    refunded: 'Erstattet',
    disputed: 'Angefochten',
    answerUntil: 'Antwort bis',
    testMode: 'Testmodus: Es ist kein echtes Geld geflossen.',
  },
  webhookReasons: {
    gone: 'Der Empfänger hat geantwortet, dass es ihn nicht mehr gibt (Status 410).',
    failing: 'Seit {since} hat der Empfänger jedes Ereignis abgelehnt oder nicht geantwortet.',
  },
  endingOrganizations:
    'Mit Ihrem Konto werden auch diese Organisationen gelöscht, denen sonst niemand angehört: {organizations}.',
  'verify-email': {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {appName}',
    preview: 'Ein Klick, und Ihre Adresse ist bestätigt.',
    heading: 'E-Mail-Adresse bestätigen',
    body: ['Bitte bestätigen Sie, dass diese Adresse Ihnen gehört, damit Sie Ihr Konto bei {appName} nutzen können.'],
    button: 'Adresse bestätigen',
    after: [
      'Der Link funktioniert nur einmal. Gültigkeit: {duration}.',
      'Wenn Sie kein Konto angelegt haben, können Sie diese E-Mail ignorieren.',
    ],
  },
  'email-changed-verify': {
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {appName}',
    preview: 'Ein Klick, und Ihre neue Adresse ist bestätigt.',
    heading: 'Neue E-Mail-Adresse bestätigen',
    body: [
      'Diese Adresse wurde bei einem Konto von {appName} eingetragen. Bitte bestätigen Sie, dass sie Ihnen gehört.',
    ],
    button: 'Adresse bestätigen',
    after: [
      'Der Link funktioniert nur einmal. Gültigkeit: {duration}.',
      'Wenn Sie diese Änderung nicht veranlasst haben, können Sie diese E-Mail ignorieren.',
    ],
  },
  'reset-password': {
    subject: 'Setzen Sie Ihr Passwort für {appName} zurück',
    preview: 'Wählen Sie ein neues Passwort für Ihr Konto.',
    heading: 'Neues Passwort wählen',
    body: ['Jemand, hoffentlich Sie, möchte das Passwort Ihres Kontos bei {appName} zurücksetzen.'],
    button: 'Neues Passwort wählen',
    after: [
      'Der Link funktioniert nur einmal. Gültigkeit: {duration}.',
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
    ],
  },
  'change-email': {
    subject: 'Neue E-Mail-Adresse für Ihr Konto bei {appName} freigeben',
    preview: 'Die Adresse ändert sich nur, wenn Sie zustimmen.',
    heading: 'Neue E-Mail-Adresse freigeben',
    body: [
      'Sie möchten die Adresse Ihres Kontos bei {appName} in {newEmail} ändern.',
      'Öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind.',
    ],
    button: 'Änderung freigeben',
    after: [
      'Der Link funktioniert nur einmal. Gültigkeit: {duration}.',
      'Wenn Sie das nicht waren, öffnen Sie den Link nicht und ändern Sie Ihr Passwort: Möglicherweise benutzt jemand anderes Ihr Konto.',
    ],
  },
  'password-changed': {
    subject: 'Ihr Passwort für {appName} wurde geändert',
    preview: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
    heading: 'Ihr Passwort wurde geändert',
    body: [
      'Das Passwort Ihres Kontos bei {appName} wurde soeben geändert. Wenn Sie das waren, brauchen Sie nichts zu tun.',
    ],
    button: 'Passwort zurücksetzen',
    after: [
      'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück. Damit enden auch alle offenen Sitzungen.',
    ],
  },
  'account-linked': {
    subject: '{providerName} wurde mit Ihrem Konto bei {appName} verbunden',
    preview: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
    heading: 'Ein Konto wurde verbunden',
    body: [
      'Mit einem Konto bei {providerName} kann man sich ab jetzt bei Ihrem Konto bei {appName} anmelden. Wenn Sie das waren, brauchen Sie nichts zu tun.',
    ],
    button: 'Verbundene Konten ansehen',
    after: ['Wenn Sie das nicht waren, trennen Sie das Konto sofort und ändern Sie Ihr Passwort.'],
  },
  'email-changed': {
    subject: 'Die E-Mail-Adresse Ihres Kontos bei {appName} wurde geändert',
    preview: 'Wenn Sie das waren, brauchen Sie nichts zu tun.',
    heading: 'Ihre E-Mail-Adresse wurde geändert',
    body: [
      'Ihr Konto bei {appName} verwendet jetzt die Adresse {newEmail}. An diese hier gehen keine E-Mails mehr.',
      'Wenn Sie das waren, brauchen Sie nichts zu tun. Andernfalls wenden Sie sich sofort an die Betreiber von {appName}.',
    ],
    after: [],
  },
  'existing-account': {
    subject: 'Sie haben bereits ein Konto bei {appName}',
    preview: 'Melden Sie sich an, oder setzen Sie Ihr Passwort zurück.',
    heading: 'Sie haben bereits ein Konto',
    body: [
      'Jemand, vielleicht Sie, wollte sich mit dieser Adresse bei {appName} registrieren. Für sie gibt es schon ein Konto, deshalb wurde nichts geändert.',
    ],
    button: 'Anmelden',
    after: [
      'Passwort vergessen? Hier setzen Sie es zurück: {resetUrl}',
      'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren.',
    ],
  },
  'delete-account': {
    subject: 'Bestätigen Sie die Löschung Ihres Kontos bei {appName}',
    preview: 'Das Konto wird nur gelöscht, wenn Sie es bestätigen.',
    heading: 'Konto löschen?',
    body: [
      'Sie möchten Ihr Konto bei {appName} löschen. Sobald Sie den Link öffnen, werden das Konto und seine Daten endgültig gelöscht.',
      'Öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind.',
    ],
    button: 'Mein Konto löschen',
    after: [
      'Der Link funktioniert nur einmal. Gültigkeit: {duration}.',
      'Wenn Sie das nicht waren, öffnen Sie den Link nicht und ändern Sie Ihr Passwort: Möglicherweise benutzt jemand anderes Ihr Konto.',
    ],
  },
  'magic-link': {
    subject: 'Ihr Link zur Anmeldung bei {appName}',
    preview: 'Melden Sie sich mit der Schaltfläche oder dem Code an.',
    heading: 'Bei {appName} anmelden',
    body: ['Jemand, hoffentlich Sie, möchte sich mit dieser Adresse anmelden.'],
    button: 'Anmelden',
    code: 'Oder geben Sie diesen Code dort ein, wo Sie die E-Mail angefordert haben:',
    after: [
      'Link und Code funktionieren nur einmal. Gültigkeit: {duration}.',
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail und geben Sie den Code niemandem: Wer ihn hat, kann sich als Sie anmelden.',
    ],
  },
  invitation: {
    subject: 'Einladung zu einer Organisation bei {appName}',
    preview: 'Sehen Sie, wer Sie einlädt, und entscheiden Sie dann.',
    heading: 'Sie sind eingeladen',
    body: ['{inviter} lädt Sie in die Organisation {organizationName} bei {appName} ein.', 'Ihre Rolle dort: {role}.'],
    button: 'Einladung ansehen',
    after: [
      'Die Einladung gilt nur für diese Adresse. Gültigkeit: {duration}.',
      'Wenn Sie nicht wissen, wer Sie einlädt, können Sie diese E-Mail ignorieren.',
    ],
  },
  'join-request': {
    subject: 'Jemand möchte Ihrer Organisation bei {appName} beitreten',
    preview: 'Nehmen Sie die Anfrage an oder lehnen Sie sie ab.',
    heading: 'Beitrittsanfrage',
    body: ['{requester} möchte der Organisation {organizationName} bei {appName} beitreten.'],
    button: 'Anfrage ansehen',
    after: ['Solange niemand zugestimmt hat, sieht die Person nichts von der Organisation.'],
  },
  'join-approved': {
    subject: 'Sie sind jetzt Mitglied einer Organisation bei {appName}',
    preview: 'Ihre Beitrittsanfrage wurde angenommen.',
    heading: 'Ihre Anfrage wurde angenommen',
    body: ['Sie sind jetzt Mitglied der Organisation {organizationName} bei {appName}.'],
    button: 'Organisation öffnen',
    after: [],
  },
  'ownership-received': {
    subject: 'Ihnen gehört jetzt eine Organisation bei {appName}',
    preview: 'Die Organisation wurde Ihnen übertragen.',
    heading: 'Die Organisation gehört jetzt Ihnen',
    body: [
      'Ihnen gehört jetzt die Organisation {organizationName} bei {appName}. Sie können dort alles tun.',
      'Übertragen von: {previousOwner}.',
    ],
    button: 'Organisation öffnen',
    after: ['Wenn Sie damit nicht gerechnet haben, sprechen Sie mit der Person, die sie Ihnen übertragen hat.'],
  },
  receipt: {
    subject: 'Ihr Beleg von {organizationName}',
    preview: 'Was Sie gekauft haben und was es gekostet hat.',
    heading: 'Ihr Beleg',
    body: ['Vielen Dank. {organizationName} hat Ihre Bestellung erhalten.'],
    button: 'Beleg ansehen',
    after: ['Der Link zeigt Ihren Beleg allen, die ihn haben. Behalten Sie diese Mail für sich.'],
  },
  refund: {
    subject: 'Ihre Erstattung von {organizationName}',
    preview: 'Was Sie zurückbekommen.',
    heading: 'Ihre Erstattung',
    body: [
      '{organizationName} hat {amount} von den gezahlten {paid} erstattet. Bis das Geld auf Ihrem Konto ist, vergehen einige Tage.',
    ],
    after: ['Die Gutschrift liegt dieser Mail bei.'],
  },
  'refund-failed': {
    subject: 'Ihre Erstattung von {organizationName} ist nicht angekommen',
    preview: 'Das Geld ist zurückgekommen.',
    heading: 'Ihre Erstattung ist nicht angekommen',
    body: [
      '{organizationName} hat Ihre Zahlung ganz oder teilweise erstattet, doch das Geld konnte Ihrem Konto nicht gutgeschrieben werden und ist zum Verkäufer zurückgekommen. Fragen Sie den Verkäufer, wie Sie es bekommen können.',
    ],
    after: [
      'Die Gutschrift, die Sie erhalten haben, ist ungültig; sie liegt dieser Mail noch einmal mit diesem Vermerk bei.',
    ],
  },
  'webhook-disabled': {
    subject: 'Ein Webhook-Endpunkt wurde bei {appName} abgeschaltet',
    preview: 'Ereignisse werden nicht mehr an ihn gesendet.',
    heading: 'Ein Webhook-Endpunkt wurde abgeschaltet',
    body: [
      'Der Webhook-Endpunkt {endpoint} der Organisation {organizationName} bei {appName} wurde abgeschaltet, und es wird nichts mehr an ihn gesendet. {reason}',
    ],
    button: 'Endpunkt ansehen',
    after: ['Sobald der Empfänger wieder arbeitet, schalten Sie ihn ein und senden Sie erneut, was ihm entgangen ist.'],
  },
  dispute: {
    subject: 'Eine Zahlung wird bei {appName} angefochten',
    preview: 'Antworten Sie rechtzeitig, sonst ist das Geld verloren.',
    heading: 'Eine Zahlung wird angefochten',
    body: [
      'Ein Käufer der Organisation {organizationName} ficht eine Zahlung bei seiner Bank an. Wer nicht rechtzeitig antwortet, verliert das Geld.',
    ],
    button: 'Bestellung ansehen',
    after: [
      'Die Administratoren von {appName} antworten beim Zahlungsdienst und wurden benachrichtigt: Geben Sie ihnen rechtzeitig Ihre Nachweise.',
      'Solange die Anfechtung läuft, kann die Zahlung nicht erstattet werden.',
    ],
  },
  inquiry: {
    subject: 'Eine Bank fragt bei {appName} nach einer Zahlung',
    preview: 'Erstatten Sie oder lassen Sie antworten, sonst wird daraus eine Anfechtung.',
    heading: 'Eine Bank fragt nach einer Zahlung',
    body: [
      'Ein Käufer der Organisation {organizationName} hat bei seiner Bank nach einer Zahlung gefragt. Noch wurde nichts zurückgeholt; antwortet niemand rechtzeitig, wird daraus eine Anfechtung.',
    ],
    button: 'Bestellung ansehen',
    after: [
      'Erstatten Sie die Zahlung oder geben Sie den Administratoren von {appName} rechtzeitig Ihre Nachweise: Sie antworten beim Zahlungsdienst und wurden benachrichtigt.',
    ],
  },
  'dispute-to-answer': {
    subject: 'Eine Anfechtung wartet bei {appName} auf Ihre Antwort',
    preview: 'Antworten Sie rechtzeitig, sonst ist das Geld verloren.',
    heading: 'Eine Anfechtung wartet auf Ihre Antwort',
    body: [
      'Ein Käufer der Organisation {organizationName} ficht eine Zahlung bei seiner Bank an, oder die Bank fragt danach. Antwortet niemand rechtzeitig, ist das Geld verloren.',
    ],
    button: 'Offene Anfechtungen ansehen',
    after: [
      'Nur Sie können antworten: Das Konto beim Zahlungsdienst gehört zu {appName}. Bitten Sie die Organisation um ihre Nachweise; auch sie wurde benachrichtigt.',
    ],
  },
}
