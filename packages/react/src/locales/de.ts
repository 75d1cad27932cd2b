import type { Messages } from '../i18n/messages.ts'
import { billing } from './billing/de.ts'
import { joining } from './joining/de.ts'
import { organizationPages } from './organization/de.ts'

/** German. */
export const de: Messages = {
  meta: { locale: 'de', name: 'Deutsch', dir: 'ltr' },
  ...joining,
  ...billing,

  common: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    showPassword: 'Passwort anzeigen',
    show: 'Anzeigen',
    signIn: 'Anmelden',
    createAccount: 'Konto erstellen',
    backToSignIn: 'Zurück zur Anmeldung',
    returnToApp: 'Zurück zur Anwendung',
    copy: 'Kopieren',
    copied: 'Kopiert',
    loading: 'Wird geladen …',
    checkFields: { one: 'Ein Feld muss korrigiert werden.', other: '{count} Felder müssen korrigiert werden.' },
    tryAgainIn: 'Erneut möglich in {time}',
    openInbox: 'Postfach öffnen',
    sandbox: 'Entwicklungsmodus: Hier ist nichts echt.',
    refused: 'Fehler',
    errorCode: 'Code: {code}',
    or: 'oder',
  },

  errors: {
    emailRequired: 'Geben Sie Ihre E-Mail-Adresse ein.',
    passwordRequired: 'Geben Sie Ihr Passwort ein.',
    newPasswordRequired: 'Geben Sie ein neues Passwort ein.',
    nameRequired: 'Geben Sie Ihren Namen ein.',
    emailInvalid: 'Das ist keine vollständige E-Mail-Adresse. Sie sollte aussehen wie ada@example.com.',
    wrongCredentials:
      'Zu dieser E-Mail-Adresse und diesem Passwort gibt es kein Konto. Prüfen Sie beides oder setzen Sie das Passwort zurück.',
    emailNotVerified:
      'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Der Link steht in der Mail, die wir Ihnen gerade geschickt haben.',
    tooFewCharacters: {
      one: 'Mindestens {count} Zeichen sind nötig.',
      other: 'Mindestens {count} Zeichen sind nötig.',
    },
    tooManyCharacters: {
      one: 'Höchstens {count} Zeichen sind möglich.',
      other: 'Höchstens {count} Zeichen sind möglich.',
    },
    passwordBreached: 'Dieses Passwort ist in einem Datenleck aufgetaucht. Wählen Sie ein anderes.',
    userExists: 'Mit dieser Adresse gibt es schon ein Konto. Melden Sie sich an oder setzen Sie das Passwort zurück.',
    nameInvalid: 'Dieser Name geht nicht. Möglich sind bis zu 100 gewöhnliche Zeichen.',
    linkInvalid: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordern Sie einen neuen an.',
    signedOut: 'Sie sind nicht mehr angemeldet. Melden Sie sich an und versuchen Sie es noch einmal.',
    banned: 'Dieses Konto ist gesperrt. Wenden Sie sich an den Support, wenn Sie das für einen Irrtum halten.',
    accountGone: 'Dazu gibt es kein Konto mehr.',
    tooLong: 'Das ist zu lang zum Speichern. Kürzen Sie es und versuchen Sie es noch einmal.',
    tooManyRequests: {
      one: 'Zu viele Versuche. In {count} Sekunde geht es weiter.',
      other: 'Zu viele Versuche. In {count} Sekunden geht es weiter.',
    },
    tooManyRequestsSoon: 'Zu viele Versuche. Versuchen Sie es gleich noch einmal.',
    busy: 'Gerade ist viel los. Versuchen Sie es gleich noch einmal.',
    offline: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    untrustedOrigin:
      'Dieses Formular kam von einer Adresse, der hier nicht vertraut wird. Öffnen Sie die Seite neu und versuchen Sie es noch einmal.',
    untrustedCallback: 'Die Adresse, zu der es zurückgehen soll, ist hier nicht erlaubt.',
    passwordSignInOff: 'Die Anmeldung mit Passwort ist hier ausgeschaltet.',
    signUpOff: 'Neue Konten können hier zurzeit nicht erstellt werden.',
    verificationOff: 'Bestätigungsmails sind hier ausgeschaltet.',
    resetOff: 'Das Zurücksetzen des Passworts ist hier ausgeschaltet.',
    invalidInput: 'Etwas in diesem Formular stimmt nicht. Prüfen Sie die Angaben und versuchen Sie es noch einmal.',
    unexpected:
      'Bei uns ist etwas schiefgegangen. Versuchen Sie es noch einmal; wenn es wieder passiert, melden Sie sich beim Support.',
    identifierRequired: 'Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.',
    wrongUsername:
      'Zu diesem Benutzernamen und Passwort gibt es kein Konto. Prüfen Sie beides oder setzen Sie das Passwort zurück.',
    usernameInvalid: 'Dieser Benutzername geht nicht. Erlaubt sind Buchstaben von A bis Z, Ziffern, _ und der Punkt.',
    usernameTaken: 'Dieser Benutzername ist vergeben. Versuchen Sie einen anderen.',
    providerOff: 'Diese Art der Anmeldung gibt es hier nicht. Wählen Sie eine andere.',
    providerFailed:
      'Der Anbieter hat nicht wie erwartet geantwortet. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.',
  },

  captchaErrors: {
    captchaMissing: 'Bestätigen Sie zuerst, dass Sie kein Roboter sind.',
    captchaFailed: 'Die Prüfung, dass Sie kein Roboter sind, ist fehlgeschlagen. Versuchen Sie es noch einmal.',
  },

  codeErrors: {
    codeRequired: 'Geben Sie den Code aus der Mail ein.',
    codeWrong: 'Dieser Code stimmt nicht. Prüfen Sie ihn oder lassen Sie einen neuen senden.',
    codeExpired: 'Dieser Code ist abgelaufen. Lassen Sie einen neuen senden.',
    codeUsedUp: 'Das war ein Versuch zu viel, der Code gilt nicht mehr. Lassen Sie einen neuen senden.',
  },

  accountErrors: {
    passwordWrong: 'Das ist nicht Ihr aktuelles Passwort.',
    imageInvalid: 'Geben Sie eine Webadresse ein, die mit https:// beginnt, oder lassen Sie das Feld leer.',
    emailSame: 'Das ist bereits Ihre Adresse.',
    emailTaken: 'Diese Adresse kann nicht verwendet werden. Wählen Sie eine andere.',
    emailLocked: 'Die Adresse lässt sich hier nicht ändern.',
    noPassword:
      'Ihr Konto hat noch kein Passwort. Auf der Anmeldeseite können Sie mit „Passwort vergessen?“ eines festlegen.',
    confirmationWord: 'Geben Sie zur Bestätigung {word} ein.',
    sessionGone: 'Dieses Gerät war bereits abgemeldet.',
    signInAgain: 'Ihre Anmeldung liegt eine Weile zurück. Melden Sie sich dafür noch einmal an.',
    soleOwner:
      'Sie sind der einzige Eigentümer einer Organisation, die auch andere nutzen. Ernennen Sie zuerst einen weiteren.',
    hasSold: 'Eine Ihrer Organisationen hat etwas verkauft und muss bleiben. Übergeben Sie sie zuerst.',
    changeEmailOff: 'Das Ändern der Adresse ist hier ausgeschaltet.',
    accountOfAnother: 'Dieses Konto beim Anbieter gehört hier schon jemand anderem.',
    connectionGone: 'Dieses Konto ist nicht mehr verbunden.',
    lastConnection:
      'Das ist Ihr einziger Weg zur Anmeldung. Legen Sie zuerst ein Passwort fest oder verbinden Sie ein anderes Konto.',
    lastAdmin: 'Es muss mindestens einen Administrator geben.',
    impersonating: 'Nicht möglich, solange Sie für jemand anderen handeln.',
    providerNoEmail:
      'Der Anbieter hat keine E-Mail-Adresse weitergegeben. Erlauben Sie es dort oder wählen Sie einen anderen Weg.',
    accountNotLinked:
      'Es gibt schon ein Konto mit dieser Adresse. Melden Sie sich wie gewohnt an und verbinden Sie den Anbieter dann in den Einstellungen.',
  },

  signedIn: {
    title: 'Sie sind angemeldet',
    as: 'Als {name}, {email}',
    continueAs: 'Weiter als {name}',
  },

  signIn: {
    title: 'Bei {app} anmelden',
    titleNoApp: 'Anmelden',
    password: 'Passwort',
    forgot: 'Passwort vergessen?',
    rememberMe: 'Auf diesem Gerät angemeldet bleiben',
    submit: 'Anmelden',
    submitting: 'Anmeldung läuft …',
    newHere: 'Neu hier?',
    createAccount: 'Konto erstellen',
    otherAccount: 'Anderes Konto verwenden',
    done: 'Angemeldet',
    passwordReset: 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
    emailVerified: 'Ihre Adresse ist bestätigt. Sie können sich jetzt anmelden.',
    signedOut: 'Sie sind abgemeldet.',
    accountDeleted: 'Ihr Konto wurde gelöscht.',
    resendVerification: 'Mail noch einmal senden',
    identifier: 'E-Mail oder Benutzername',
    sendLink: 'Anmeldelink per Mail senden',
    sendingLink: 'Wird gesendet …',
  },

  signUp: {
    title: 'Ihr Konto bei {app}',
    invited: '{organization} hat diese Adresse eingeladen.',
    titleNoApp: 'Konto erstellen',
    name: 'Name',
    submit: 'Konto erstellen',
    submitting: 'Konto wird erstellt …',
    haveAccount: 'Schon ein Konto?',
    signIn: 'Anmelden',
    done: 'Konto erstellt',
    setup: 'Dieses Konto wird die Installation verwalten.',
    setupGone:
      'Dieser Link ist abgelaufen, oder das Konto für die Verwaltung wurde schon damit angelegt. Melden Sie sich an, oder lassen Sie dort, wo der Server läuft, einen neuen Link erstellen.',
    closedTitle: 'Keine neuen Konten',
    closedText: 'Neue Konten können hier zurzeit nicht erstellt werden.',
  },

  password: {
    strength: 'Stärke: {level}',
    weak: 'schwach',
    fair: 'mäßig',
    good: 'gut',
    strong: 'stark',
    rule: { one: 'Mindestens {count} Zeichen', other: 'Mindestens {count} Zeichen' },
  },

  forgotPassword: {
    title: 'Passwort zurücksetzen',
    text: 'Geben Sie die Adresse Ihres Kontos ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
    submit: 'Link senden',
    submitting: 'Wird gesendet …',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sentText: 'Wenn es ein Konto mit {email} gibt, ist ein Link für ein neues Passwort dorthin unterwegs.',
    sentHint:
      'Nach ein paar Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder probieren Sie eine andere Adresse.',
    otherAddress: 'Andere Adresse probieren',
  },

  resetPassword: {
    title: 'Neues Passwort wählen',
    forAccount: 'Für {email}',
    newPassword: 'Neues Passwort',
    endsSessions: 'Alle Geräte, die jetzt angemeldet sind, werden abgemeldet.',
    validUntil: 'Der Link funktioniert bis {time}.',
    submit: 'Neues Passwort speichern',
    submitting: 'Wird gespeichert …',
    invalidTitle: 'Dieser Link gilt nicht mehr',
    invalidText: 'Er ist abgelaufen oder wurde schon benutzt. Ein neuer ist in einer Minute da.',
    newLink: 'Neuen Link senden',
    doneTitle: 'Passwort geändert',
    doneText: 'Melden Sie sich mit Ihrem neuen Passwort an.',
  },

  verifyEmail: {
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sentText: 'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn, um die Adresse zu bestätigen.',
    sentTextNoAddress: 'Wir haben Ihnen einen Link geschickt. Öffnen Sie ihn, um Ihre Adresse zu bestätigen.',
    hint: 'Nichts da? Sehen Sie im Spam-Ordner nach oder lassen Sie die Mail noch einmal senden.',
    edit: 'Andere Adresse verwenden',
    resend: 'Noch einmal senden',
    resendIn: 'Noch einmal senden in {time}',
    resending: 'Wird gesendet …',
    resent: 'Noch einmal gesendet. Es kann eine Minute dauern.',
    newLink: 'Neuen Link senden',
    unconfirmedTitle: 'Adresse bestätigen',
    unconfirmedText: 'Falls {email} noch nicht bestätigt ist, lassen Sie einen Link dorthin senden.',
    verifiedNamed: '{email} ist bestätigt. Vielen Dank.',
    signedInElse: 'In diesem Browser sind Sie als {email} angemeldet.',
    verifiedTitle: 'Adresse bestätigt',
    verifiedText: 'Danke. Ihre E-Mail-Adresse ist bestätigt.',
    alreadyTitle: 'Schon bestätigt',
    alreadyText: 'Diese Adresse wurde bereits bestätigt. Es ist nichts weiter zu tun.',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expiredText: 'Links gelten nur eine begrenzte Zeit. Lassen Sie einen neuen an Ihre Adresse senden.',
    invalidTitle: 'Dieser Link funktioniert nicht',
    invalidText:
      'Vielleicht ist er unvollständig oder durch einen neueren ersetzt. Öffnen Sie die neueste Mail oder fordern Sie einen neuen Link an.',
    userNotFoundTitle: 'Konto nicht vorhanden',
    userNotFoundText: 'Das Konto zu diesem Link gibt es nicht mehr.',
    unauthorizedTitle: 'Mit einem anderen Konto angemeldet',
    unauthorizedText:
      'Dieser Link gehört zu einem anderen Konto. Melden Sie sich ab und öffnen Sie ihn dann noch einmal.',
    continue: 'Weiter',
    continueSoon: { one: 'In {count} Sekunde geht es weiter.', other: 'In {count} Sekunden geht es weiter.' },
    stay: 'Hier bleiben',
  },

  errorPage: {
    titleRestart: 'Die Anmeldung wurde unterbrochen',
    titleProvider: 'Der Anbieter hat Sie nicht angemeldet',
    titleAccount: 'Dieses Konto geht hier nicht',
    titleLink: 'Dieser Link funktioniert nicht',
    titleServer: 'Etwas ist schiefgegangen',
    titleUnknown: 'Etwas ist schiefgegangen',
    unknown: 'Unknown',
    signIn: 'Neu anmelden',
    invalid_callback_request: 'Die Antwort des Anbieters war unvollständig. Beginnen Sie die Anmeldung von vorn.',
    state_not_found:
      'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginnen Sie hier von vorn.',
    please_restart_the_process:
      'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Beginnen Sie hier von vorn.',
    no_code: 'Der Anbieter hat Sie ohne Bestätigung zurückgeschickt. Beginnen Sie die Anmeldung von vorn.',
    access_denied: 'Sie haben beim Anbieter nicht zugestimmt; es wurde nichts geändert.',
    oauth_provider_not_found: 'Diese Art der Anmeldung gibt es hier nicht. Wählen Sie eine andere.',
    invalid_code: 'Der Anbieter hat die Bestätigung nicht anerkannt. Beginnen Sie die Anmeldung von vorn.',
    unable_to_get_user_info:
      'Der Anbieter hat nicht mitgeteilt, wer Sie sind. Versuchen Sie es noch einmal oder melden Sie sich anders an.',
    email_not_found:
      'Der Anbieter hat keine E-Mail-Adresse mitgeteilt. Erlauben Sie es dort oder melden Sie sich anders an.',
    no_callback_url:
      'Es ist nicht bekannt, wohin es nach der Anmeldung gehen soll. Beginnen Sie noch einmal in der Anwendung.',
    account_already_linked_to_different_user: 'Dieses Konto des Anbieters gehört hier schon zu einem anderen Nutzer.',
    unable_to_link_account:
      'Das Konto des Anbieters konnte nicht verknüpft werden. Versuchen Sie es später noch einmal.',
    account_not_linked:
      'Mit dieser Adresse gibt es schon ein Konto. Melden Sie sich wie gewohnt an und verknüpfen Sie den Anbieter in den Einstellungen.',
    email_does_not_match:
      'Das Konto des Anbieters hat eine andere E-Mail-Adresse als Ihres und wurde deshalb nicht verknüpft.',
    unable_to_create_user: 'Ihr Konto konnte nicht erstellt werden. Versuchen Sie es später noch einmal.',
    unable_to_create_session: 'Sie konnten nicht angemeldet werden. Versuchen Sie es später noch einmal.',
    banned: 'Dieses Konto ist gesperrt. Wenden Sie sich an den Support, wenn Sie das für einen Irrtum halten.',
    signup_disabled: 'Neue Konten können hier zurzeit nicht erstellt werden.',
    internal_server_error: 'Bei uns ist etwas ausgefallen. Versuchen Sie es später noch einmal.',
    token_expired: 'Der Link ist abgelaufen. Fordern Sie einen neuen an.',
    invalid_token: 'Der Link ist unvollständig oder wurde schon benutzt. Fordern Sie einen neuen an.',
    user_not_found: 'Das Konto, zu dem dieser Link gehört, gibt es nicht mehr.',
    unauthorized: 'Der Link gehört zu einem anderen Konto als dem, das gerade angemeldet ist.',
    unknownText:
      'Es ist ein Fehler aufgetreten, zu dem wir nichts Genaueres wissen. Beginnen Sie noch einmal von vorn.',
    server_error:
      'Der Anbieter hat selbst ein Problem. Versuchen Sie es später noch einmal oder wählen Sie einen anderen Weg.',
    temporarily_unavailable:
      'Der Anbieter ist gerade nicht erreichbar. Versuchen Sie es später noch einmal oder wählen Sie einen anderen Weg.',
    failed_to_create_user:
      'Für diese Adresse konnte kein Konto angelegt werden. Fordern Sie einen neuen Link an oder registrieren Sie sich.',
    expired_token: 'Der Link ist abgelaufen. Lassen Sie einen neuen senden.',
  },

  account: {
    nav: 'Kontoeinstellungen',
    profile: 'Profil',
    security: 'Sicherheit',
    sessions: 'Geräte',
    organizations: 'Organisationen',
    save: 'Speichern',
    saving: 'Wird gespeichert …',
    saved: 'Gespeichert.',
    name: 'Name',
    image: 'Bild',
    imageHint: 'Webadresse eines quadratischen Bildes, nur https://',
    emailTitle: 'E-Mail-Adresse',
    verified: 'Bestätigt',
    unverified: 'Nicht bestätigt',
    sendVerification: 'Bestätigungsmail senden',
    verificationSent: 'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn, um die Adresse zu bestätigen.',
    confirmByMail:
      'Um {email} zu bestätigen, öffnen Sie den Link in unserer Mail. Nichts da? Sehen Sie im Spam-Ordner nach oder lassen Sie sich unten eine senden.',
    newEmail: 'Neue E-Mail-Adresse',
    changeEmail: 'Adresse ändern',
    changingEmail: 'Wird geändert …',
    changeEmailHint: 'Zuerst geben Sie die Änderung über Ihre jetzige Adresse frei, dann bestätigen Sie die neue.',
    changeEmailHintUnverified:
      'Die Adresse ändert sich sofort; wir schicken einen Link, mit dem Sie die neue bestätigen.',
    emailChanged: 'Ihre Adresse ist jetzt {email}. Bestätigen Sie sie mit dem Link, den wir dorthin geschickt haben.',
    emailRequested: 'Fast fertig. Geben Sie die Änderung mit dem Link frei, den wir an {email} geschickt haben.',
    connections: 'Verbundene Konten',
    displayUsername: 'Benutzername, wie er angezeigt wird',
    displayUsernameHint: 'Gern mit Großbuchstaben; anmelden können Sie sich mit beiden',
    noAddress: 'Noch keine Adresse',
    noAddressText:
      'Sie haben sich über einen Anbieter angemeldet, der keine Adresse weitergibt. Legen Sie eine fest, um Mails zu erhalten und ein Passwort zurücksetzen zu können.',
    firstEmail: 'Ihre E-Mail-Adresse',
    setEmail: 'Adresse festlegen',
  },

  security: {
    passwordTitle: 'Passwort',
    currentPassword: 'Aktuelles Passwort',
    newPassword: 'Neues Passwort',
    revokeOthers: 'Alle anderen Geräte abmelden',
    changePassword: 'Passwort ändern',
    changing: 'Wird geändert …',
    passwordChanged: 'Ihr Passwort wurde geändert.',
    noPasswordText: 'Ihr Konto hat kein Passwort. Um eines festzulegen, lassen Sie sich einen Link schicken.',
    setPassword: 'Link senden',
    resetMailSent: 'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn, um ein Passwort festzulegen.',
    dangerTitle: 'Konto löschen',
    dangerText: 'Ihr Profil und alles, was nur Ihnen gehört, wird endgültig entfernt.',
    dangerAction: 'Konto löschen …',
  },

  sessions: {
    title: 'Wo Sie angemeldet sind',
    text: 'Ein Gerät kommt Ihnen unbekannt vor? Melden Sie es ab und ändern Sie Ihr Passwort.',
    thisDevice: 'Dieses Gerät',
    device: '{browser} unter {system}',
    unknownDevice: 'Unbekanntes Gerät',
    unknownBrowser: 'Unbekannter Browser',
    activeNow: 'Jetzt aktiv',
    lastActive: 'Zuletzt aktiv {when}',
    signedIn: 'Angemeldet am {date}',
    address: 'IP-Adresse {address}',
    signOutOne: 'Abmelden',
    signOutNamed: '{device}: Abmelden',
    signOutOthers: 'Alle anderen Geräte abmelden',
    signOutOthersTitle: 'Alle anderen Geräte abmelden?',
    signOutOthersText:
      'Wer anderswo in Ihrem Konto angemeldet ist, muss sich neu anmelden. Dieses Gerät bleibt angemeldet.',
    keep: 'Angemeldet lassen',
    signingOut: 'Wird abgemeldet …',
    ended: 'Das Gerät wurde abgemeldet.',
    othersEnded: 'Alle anderen Geräte wurden abgemeldet.',
    onlyThis: 'Sie sind nur auf diesem Gerät angemeldet.',
    loadFailed: 'Die Liste der Geräte konnte nicht geladen werden.',
    retry: 'Noch einmal versuchen',
    loading: 'Geräte werden geladen',
  },

  deleteAccount: {
    title: 'Konto löschen',
    lead: 'Das lässt sich nicht rückgängig machen. Wenn Sie das Konto von {email} löschen:',
    consequences: [
      'werden Ihr Name, Ihr Bild und Ihre Adresse gelöscht',
      'werden Sie auf allen Geräten abgemeldet',
      'entfallen alle Arten, sich anzumelden; mit derselben Adresse können Sie später ein neues Konto erstellen',
    ],
    soleOwned:
      'Diese Organisationen gehören nur Ihnen. Bevor Ihr Konto gelöscht werden kann, machen Sie bei jeder jemand anderen zum Eigentümer oder löschen Sie sie, was geht, solange sie nichts verkauft hat:',
    organizationEnds: 'wird die Organisation {organization} gelöscht, weil ihr sonst niemand angehört',
    loadFailed: 'Was aus Ihren Organisationen wird, ließ sich nicht laden.',
    retry: 'Erneut versuchen',
    word: 'LÖSCHEN',
    typeWord: 'Zur Bestätigung {word} eingeben',
    passwordHint:
      'Mit Ihrem Passwort wird das Konto sofort gelöscht. Ohne schicken wir Ihnen einen Link, der es löscht.',
    passwordOptional: 'Passwort (freiwillig)',
    mailHint:
      'Wir schicken Ihnen eine Mail mit einem Link. Ihr Konto wird gelöscht, wenn Sie ihn innerhalb von 24 Stunden öffnen.',
    submit: 'Konto löschen',
    submitting: 'Wird gelöscht …',
    keep: 'Konto behalten',
    mailSentTitle: 'Sehen Sie in Ihr Postfach',
    mailSentText:
      'Wir haben einen Link an {email} geschickt. Öffnen Sie ihn innerhalb von 24 Stunden auf diesem Gerät, um das Konto zu löschen. Wenn Sie es behalten möchten, lassen Sie die Mail unbeachtet.',
    deletedTitle: 'Ihr Konto ist gelöscht',
    deletedText: 'Alles über Sie wurde entfernt. Sie können diese Seite schließen.',
    newAccount: 'Neues Konto erstellen',
  },

  emailChange: {
    changedTitle: 'Adresse geändert',
    changedText:
      'Ihr Konto verwendet jetzt {email}. Bestätigen Sie die Adresse mit dem Link, den wir dorthin geschickt haben.',
    changedTextNoAddress:
      'Ihr Konto verwendet jetzt die neue Adresse. Bestätigen Sie sie mit dem Link, den wir dorthin geschickt haben.',
    verifiedTitle: 'Neue Adresse bestätigt',
    verifiedText: 'Alles erledigt. Melden Sie sich ab jetzt mit {email} an.',
    verifiedTextNoAddress: 'Alles erledigt. Melden Sie sich ab jetzt mit der neuen Adresse an.',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expiredText: 'Ihre Adresse wurde nicht geändert. Beginnen Sie die Änderung in Ihrem Konto noch einmal.',
    invalidTitle: 'Dieser Link funktioniert nicht',
    invalidText: 'Er ist unvollständig oder wurde schon benutzt. Ihre Adresse wurde nicht geändert.',
    unauthorizedTitle: 'Zum Abschließen anmelden',
    unauthorizedText:
      'Melden Sie sich mit dem Konto an, dessen Adresse geändert werden soll, und öffnen Sie den Link noch einmal.',
    toAccount: 'Zu Ihrem Konto',
    notYou: 'Das waren nicht Sie? Ändern Sie jetzt Ihr Passwort: Damit werden alle anderen Geräte abgemeldet.',
    changePassword: 'Passwort ändern',
  },

  providers: {
    label: 'Weitere Wege zur Anmeldung',
    continueWith: 'Weiter mit {provider}',
    more: 'Weitere Anbieter',
    lastUsed: 'Zuletzt benutzt',
  },

  leaving: {
    title: 'Weiter zu {provider}',
    text: 'Sie werden jetzt weitergeleitet. Wenn nichts passiert, benutzen Sie die Schaltfläche.',
  },

  username: {
    label: 'Benutzername',
    labelOptional: 'Benutzername (freiwillig)',
    rule: '{min} bis {max} Buchstaben, Ziffern, _ oder .',
    length: '{min} bis {max} Zeichen',
    free: 'Dieser Benutzername ist frei.',
  },

  magicLink: {
    sentTitle: 'Sehen Sie in Ihre Mails',
    sentText: 'Wenn {email} sich hier anmelden kann, ist eine Mail mit Link und Code unterwegs.',
    code: 'Code aus der Mail',
    submit: 'Anmelden',
    submitting: 'Anmeldung läuft …',
    done: 'Sie sind angemeldet.',
    resend: 'Noch einmal senden',
    resendIn: 'Noch einmal senden in {time}',
    sending: 'Wird gesendet …',
    resent: 'Noch einmal gesendet. Nur die neueste Mail gilt.',
    hint: 'Wenn Sie den Link in diesem Browser öffnen, geht es hier von selbst weiter. Auf einem anderen Gerät geben Sie hier den Code ein.',
    edit: 'Andere Adresse verwenden',
    confirmTitle: 'Bei {app} anmelden',
    confirmText: 'Mit dieser Schaltfläche melden Sie sich als {email} an.',
    confirmTextNoAddress: 'Mit dieser Schaltfläche melden Sie sich mit dem Link aus der Mail an.',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expiredText: 'Anmeldelinks gelten nur wenige Minuten. Lassen Sie einen neuen senden.',
    invalidTitle: 'Dieser Link funktioniert nicht',
    invalidText: 'Er ist unvollständig, wurde schon benutzt oder durch einen neueren ersetzt.',
    again: 'Neuen Link anfordern',
  },

  connections: {
    title: 'Verbundene Konten',
    text: 'Mit jedem davon können Sie sich anmelden.',
    password: 'Passwort',
    setOn: 'Festgelegt am {date}',
    change: 'Ändern',
    connectedOn: 'Verbunden am {date}',
    access: 'Zugriff: {scopes}',
    unlink: 'Trennen',
    unlinkNamed: 'Trennen: {provider}',
    unlinking: 'Wird getrennt …',
    last: 'Das ist Ihr einziger Weg zur Anmeldung, daher bleibt er.',
    setPassword: 'Passwort festlegen',
    linked: 'Das Konto ist verbunden.',
    unlinked: 'Das Konto ist getrennt.',
    passwordText: 'Ihre Anmeldung liegt eine Weile zurück. Geben Sie Ihr Passwort ein, um {provider} zu trennen.',
    yourPassword: 'Ihr Passwort',
    signInText: 'Ihre Anmeldung liegt eine Weile zurück. Melden Sie sich noch einmal an, um {provider} zu trennen.',
    signInAgain: 'Noch einmal anmelden',
    addTitle: 'Weiteres Konto verbinden',
    link: '{provider} verbinden',
    linking: 'Wird verbunden …',
    linkPasswordText: 'Ihre Anmeldung liegt eine Weile zurück. Geben Sie Ihr Passwort ein, um {provider} zu verbinden.',
    linkSignInText:
      'Ihre Anmeldung liegt eine Weile zurück. Melden Sie sich noch einmal an, um {provider} zu verbinden.',
    loadFailed: 'Die verbundenen Konten konnten nicht geladen werden.',
    retry: 'Erneut versuchen',
    loading: 'Verbundene Konten werden geladen',
  },

  impersonation: {
    label: 'Handeln für einen anderen Benutzer',
    actingAs: 'Sie handeln als {name}.',
    endsIn: { one: 'Endet in {count} Minute.', other: 'Endet in {count} Minuten.' },
    stop: 'Beenden',
    stopping: 'Wird beendet …',
  },

  adminErrors: {
    notAllowed: 'Das dürfen Sie nicht.',
    impersonateAdmin: 'Für Administratoren können Sie nicht handeln.',
    banYourself: 'Sich selbst können Sie nicht sperren.',
    removeYourself: 'Sich selbst können Sie hier nicht entfernen.',
    lastAdmin: 'Es muss mindestens einen Administrator geben.',
    roleUnknown: 'Diese Rolle gibt es nicht.',
    notImpersonating: 'Sie handeln gerade für niemand anderen.',
    jobGone: 'Diese Aufgabe gibt es nicht mehr.',
  },

  captcha: {
    needsScript:
      'Dieses Formular prüft, ob Sie ein Mensch sind, und braucht dafür JavaScript. Schalten Sie es ein und laden Sie die Seite neu.',
    failed:
      'Die Prüfung, ob Sie ein Mensch sind, konnte nicht geladen werden. Sehen Sie nach, ob etwas sie blockiert, und laden Sie die Seite neu.',
    expired: 'Die Prüfung ist abgelaufen. Bitte wiederholen Sie sie.',
  },

  userButton: {
    open: 'Konto von {name}',
    manage: 'Konto verwalten',
    administration: 'Verwaltung',
    signOut: 'Abmelden',
    signingOut: 'Wird abgemeldet …',
  },

  ...organizationPages,
}
