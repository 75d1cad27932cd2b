import type { MailMessages } from './messages.ts'

export const tr: MailMessages = {
  dir: 'ltr',
  greeting: 'Merhaba {name},',
  greetingWithoutName: 'Merhaba,',
  copyLink: 'Düğme çalışmazsa bu adresi tarayıcınıza kopyalayın:',
  footer: 'Gönderen: {appName} · {host}',
  ledger: {
    number: 'Makbuz',
    invoice: 'Fatura',
    creditNote: 'İade faturası',
    date: 'Tarih',
    buyer: 'Alıcı',
    discount: 'İndirim',
    tax: 'Vergi',
    reverseCharge: 'Ters vergi yükümlülüğü: vergiyi alıcı beyan eder.',
    total: 'Toplam',
    refunded: 'İade edildi',
    disputed: 'İtiraz edilen tutar',
    answerUntil: 'Son yanıt tarihi',
    testMode: 'Test modu: gerçek para hareketi olmadı.',
  },
  webhookReasons: {
    gone: 'Alıcısı artık var olmadığını bildirdi (durum 410).',
    failing: 'Alıcısı {since} tarihinden beri her olayı reddetti ya da yanıt vermedi.',
  },
  endingOrganizations:
    'Başka hiç kimsenin üye olmadığı şu kuruluşlar da hesabınızla birlikte silinir: {organizations}.',
  'verify-email': {
    subject: '{appName} için e-posta adresinizi doğrulayın',
    preview: 'Tek tıkla adresinizi doğrulayın.',
    heading: 'E-posta adresinizi doğrulayın',
    body: ['{appName} hesabınızı kullanabilmek için lütfen bu adresin size ait olduğunu doğrulayın.'],
    button: 'Adresi doğrula',
    after: [
      'Bağlantı yalnızca bir kez kullanılabilir. Geçerlilik süresi: {duration}.',
      'Hesap oluşturmadıysanız bu iletiyi dikkate almayabilirsiniz.',
    ],
  },
  'email-changed-verify': {
    subject: '{appName} için yeni e-posta adresinizi doğrulayın',
    preview: 'Tek tıkla yeni adresinizi doğrulayın.',
    heading: 'Yeni e-posta adresinizi doğrulayın',
    body: ['Bu adres bir {appName} hesabı için girildi. Lütfen size ait olduğunu doğrulayın.'],
    button: 'Adresi doğrula',
    after: [
      'Bağlantı yalnızca bir kez kullanılabilir. Geçerlilik süresi: {duration}.',
      'Bu değişikliği siz istemediyseniz bu iletiyi dikkate almayabilirsiniz.',
    ],
  },
  'reset-password': {
    subject: '{appName} parolanızı sıfırlayın',
    preview: 'Hesabınız için yeni bir parola belirleyin.',
    heading: 'Yeni bir parola belirleyin',
    body: ['Birisi, umarız siz, {appName} hesabınızın parolasını sıfırlamak istedi.'],
    button: 'Yeni parola belirle',
    after: [
      'Bağlantı yalnızca bir kez kullanılabilir. Geçerlilik süresi: {duration}.',
      'Bunu siz istemediyseniz bu iletiyi dikkate almayın. Parolanız değişmeden kalır.',
    ],
  },
  'change-email': {
    subject: '{appName} hesabınızın yeni e-posta adresini onaylayın',
    preview: 'Adres yalnızca onaylarsanız değişir.',
    heading: 'Yeni e-posta adresinizi onaylayın',
    body: [
      '{appName} hesabınızın adresini {newEmail} olarak değiştirmek istediniz.',
      'Bağlantıyı, oturumunuzun açık olduğu tarayıcıda açın.',
    ],
    button: 'Değişikliği onayla',
    after: [
      'Bağlantı yalnızca bir kez kullanılabilir. Geçerlilik süresi: {duration}.',
      'Bunu siz istemediyseniz bağlantıyı açmayın ve parolanızı değiştirin: hesabınızı başka biri kullanıyor olabilir.',
    ],
  },
  'password-changed': {
    subject: '{appName} parolanız değiştirildi',
    preview: 'Bunu siz yaptıysanız bir şey yapmanız gerekmez.',
    heading: 'Parolanız değiştirildi',
    body: ['{appName} hesabınızın parolası az önce değiştirildi. Bunu siz yaptıysanız bir şey yapmanız gerekmez.'],
    button: 'Parolayı sıfırla',
    after: ['Bunu siz yapmadıysanız parolanızı hemen sıfırlayın: böylece açık olan tüm oturumlar da sonlandırılır.'],
  },
  'account-linked': {
    subject: '{providerName}, {appName} hesabınıza bağlandı',
    preview: 'Bunu siz yaptıysanız bir şey yapmanız gerekmez.',
    heading: 'Bir hesap bağlandı',
    body: [
      'Artık bir {providerName} hesabıyla {appName} hesabınızda oturum açılabilir. Bunu siz yaptıysanız bir şey yapmanız gerekmez.',
    ],
    button: 'Bağlı hesapları göster',
    after: ['Bunu siz yapmadıysanız o hesabın bağlantısını hemen kesin ve parolanızı değiştirin.'],
  },
  'email-changed': {
    subject: '{appName} hesabınızın e-posta adresi değiştirildi',
    preview: 'Bunu siz yaptıysanız bir şey yapmanız gerekmez.',
    heading: 'E-posta adresiniz değiştirildi',
    body: [
      '{appName} hesabınız artık {newEmail} adresini kullanıyor. Bu adrese artık ileti gelmeyecek.',
      'Bunu siz yaptıysanız bir şey yapmanız gerekmez. Yapmadıysanız hemen {appName} yöneticilerine başvurun.',
    ],
    after: [],
  },
  'existing-account': {
    subject: 'Zaten bir {appName} hesabınız var',
    preview: 'Oturum açın ya da unuttuysanız parolanızı sıfırlayın.',
    heading: 'Zaten bir hesabınız var',
    body: [
      'Birisi, belki siz, bu adresle {appName} hizmetine kaydolmaya çalıştı. Bu adresin zaten bir hesabı olduğundan hiçbir şey değiştirilmedi.',
    ],
    button: 'Oturum aç',
    after: [
      'Parolanızı mı unuttunuz? Buradan sıfırlayın: {resetUrl}',
      'Bunu siz yapmadıysanız bu iletiyi dikkate almayabilirsiniz.',
    ],
  },
  'delete-account': {
    subject: '{appName} hesabınızın silinmesini onaylayın',
    preview: 'Hesap yalnızca onaylarsanız silinir.',
    heading: 'Hesabınız silinsin mi?',
    body: [
      '{appName} hesabınızı silmek istediniz. Bağlantıyı açtığınız anda hesap ve verileri kalıcı olarak silinir.',
      'Bağlantıyı, oturumunuzun açık olduğu tarayıcıda açın.',
    ],
    button: 'Hesabımı sil',
    after: [
      'Bağlantı yalnızca bir kez kullanılabilir. Geçerlilik süresi: {duration}.',
      'Bunu siz istemediyseniz bağlantıyı açmayın ve parolanızı değiştirin: hesabınızı başka biri kullanıyor olabilir.',
    ],
  },
  'magic-link': {
    subject: '{appName} giriş bağlantınız',
    preview: 'Düğmeyle veya kodla giriş yapın.',
    heading: '{appName} girişi',
    body: ['Birisi, umarız siz, bu adresle giriş yapmak istedi.'],
    button: 'Giriş yap',
    code: 'Ya da bu kodu, iletiyi istediğiniz yere yazın:',
    after: [
      'Bağlantı ve kod yalnızca bir kez kullanılabilir. Geçerlilik süresi: {duration}.',
      'Bunu siz istemediyseniz bu iletiyi dikkate almayın ve kodu kimseye vermeyin: kodu bilen, sizin yerinize giriş yapabilir.',
    ],
  },
  invitation: {
    subject: '{appName} üzerinde bir kuruluşa davet edildiniz',
    preview: 'Sizi kimin davet ettiğini görün ve karar verin.',
    heading: 'Davet edildiniz',
    body: [
      '{inviter} sizi {appName} üzerindeki {organizationName} kuruluşuna davet ediyor.',
      'Oradaki rolünüz: {role}.',
    ],
    button: 'Daveti görüntüle',
    after: [
      'Davet yalnızca bu adres içindir. Geçerlilik süresi: {duration}.',
      'Sizi kimin davet ettiğini bilmiyorsanız bu iletiyi dikkate almayabilirsiniz.',
    ],
  },
  'join-request': {
    subject: '{appName} üzerindeki kuruluşunuza katılma isteği',
    preview: 'İsteği onaylayın ya da reddedin.',
    heading: 'Katılma isteği',
    body: ['{requester}, {appName} üzerindeki {organizationName} kuruluşuna katılmak istiyor.'],
    button: 'İsteği görüntüle',
    after: ['Biri onaylayana kadar bu kişi kuruluşta hiçbir şey göremez.'],
  },
  'join-approved': {
    subject: 'Artık {appName} üzerinde bir kuruluşun üyesisiniz',
    preview: 'Katılma isteğiniz onaylandı.',
    heading: 'İsteğiniz onaylandı',
    body: ['Artık {appName} üzerindeki {organizationName} kuruluşunun üyesisiniz.'],
    button: 'Kuruluşu aç',
    after: [],
  },
  'ownership-received': {
    subject: '{appName} üzerindeki bir kuruluş artık sizin',
    preview: 'Kuruluş size devredildi.',
    heading: 'Kuruluş artık sizin',
    body: [
      '{appName} üzerindeki {organizationName} kuruluşu artık sizin ve orada her şeyi yapabilirsiniz.',
      'Devreden: {previousOwner}.',
    ],
    button: 'Kuruluşu aç',
    after: ['Bunu beklemiyorduysanız, kuruluşu size devreden kişiyle konuşun.'],
  },
  receipt: {
    subject: '{organizationName} makbuzunuz',
    preview: 'Ne satın aldığınız ve ne ödediğiniz.',
    heading: 'Makbuzunuz',
    body: ['Teşekkürler. {organizationName} siparişinizi aldı.'],
    button: 'Makbuzu görüntüle',
    after: ['Bağlantı, makbuzunuzu ona sahip olan herkese gösterir: bu iletiyi kendinize saklayın.'],
  },
  refund: {
    subject: '{organizationName} para iadeniz',
    preview: 'Size ne kadar iade edildiği.',
    heading: 'Para iadeniz',
    body: [
      '{organizationName}, ödediğiniz {paid} tutarından {amount} iade etti. Paranın hesabınıza geçmesi birkaç gün sürer.',
    ],
    after: ['İade faturası bu iletiye eklenmiştir.'],
  },
  'refund-failed': {
    subject: '{organizationName} para iadeniz ulaşmadı',
    preview: 'Para geri döndü.',
    heading: 'İadeniz ulaşmadı',
    body: [
      '{organizationName} ödemenizi tamamen veya kısmen iade etti, ancak para hesabınıza geçirilemedi ve satıcıya geri döndü. Parayı nasıl alabileceğinizi satıcıya sorun.',
    ],
    after: ['Size gönderilen iade faturası geçersizdir; bu notla birlikte bu iletiye yeniden eklenmiştir.'],
  },
  'webhook-disabled': {
    subject: '{appName} üzerinde bir webhook uç noktası kapatıldı',
    preview: 'Olaylar artık oraya gönderilmiyor.',
    heading: 'Bir webhook uç noktası kapatıldı',
    body: [
      '{organizationName} kuruluşunun {appName} üzerindeki {endpoint} webhook uç noktası kapatıldı ve oraya hiçbir şey gönderilmiyor. {reason}',
    ],
    button: 'Uç noktaya bak',
    after: ['Alıcı yeniden çalıştığında onu açın ve kaçırdıklarını yeniden gönderin.'],
  },
  dispute: {
    subject: '{appName} üzerinde bir ödemeye itiraz edildi',
    preview: 'Zamanında yanıt verin, yoksa para kaybedilir.',
    heading: 'Bir ödemeye itiraz edildi',
    body: [
      '{organizationName} kuruluşunun bir alıcısı, bankasında bir ödemeye itiraz etti. Zamanında yanıt vermeyen parayı kaybeder.',
    ],
    button: 'Siparişe bak',
    after: [
      'Ödeme sağlayıcısında {appName} yöneticileri yanıt verir ve onlara haber verildi: kanıtlarınızı zamanında onlara iletin.',
      'İtiraz sürdükçe ödeme iade edilemez.',
    ],
  },
  inquiry: {
    subject: 'Bir banka {appName} üzerindeki bir ödemeyi soruyor',
    preview: 'İade edin veya yanıt verilmesini sağlayın, yoksa itiraza dönüşür.',
    heading: 'Bir banka bir ödemeyi soruyor',
    body: [
      '{organizationName} kuruluşunun bir alıcısı, bankasına bir ödemeyi sordu. Henüz hiçbir şey geri alınmadı; kimse zamanında yanıt vermezse itiraza dönüşür.',
    ],
    button: 'Siparişe bak',
    after: [
      'Parayı iade edin veya kanıtlarınızı zamanında {appName} yöneticilerine iletin: ödeme sağlayıcısında onlar yanıt verir ve onlara haber verildi.',
    ],
  },
  'dispute-to-answer': {
    subject: '{appName} üzerinde bir itiraz yanıtınızı bekliyor',
    preview: 'Zamanında yanıt verin, yoksa para kaybedilir.',
    heading: 'Bir itiraz yanıtınızı bekliyor',
    body: [
      '{organizationName} kuruluşunun bir alıcısı bankasında bir ödemeye itiraz etti veya bankası ödemeyi soruyor. Kimse zamanında yanıt vermezse para kaybedilir.',
    ],
    button: 'Açık itirazları göster',
    after: [
      'Yalnızca siz yanıt verebilirsiniz: ödeme sağlayıcısındaki hesap {appName} hesabıdır. Kuruluştan kanıtlarını isteyin; ona da haber verildi.',
    ],
  },
}
