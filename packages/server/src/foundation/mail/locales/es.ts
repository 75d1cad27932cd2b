import type { MailMessages } from './messages.ts'

export const es: MailMessages = {
  dir: 'ltr',
  greeting: 'Hola, {name}:',
  greetingWithoutName: 'Hola:',
  copyLink: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  footer: 'Enviado por {appName} · {host}',
  ledger: {
    number: 'Recibo',
    invoice: 'Factura',
    creditNote: 'Nota de crédito',
    date: 'Fecha',
    buyer: 'Facturado a',
    discount: 'Descuento',
    tax: 'Impuestos',
    reverseCharge: 'Inversión del sujeto pasivo: el destinatario liquida el impuesto.',
    total: 'Total',
    refunded: 'Reembolsado',
    disputed: 'Importe disputado',
    answerUntil: 'Responder antes del',
    testMode: 'Modo de prueba: no se ha movido dinero real.',
  },
  webhookReasons: {
    gone: 'Su receptor ha respondido que ya no existe (estado 410).',
    failing: 'Desde el {since} su receptor ha rechazado todos los eventos o no ha respondido.',
  },
  endingOrganizations:
    'Con tu cuenta se eliminarán también estas organizaciones, de las que nadie más es miembro: {organizations}.',
  'verify-email': {
    subject: 'Confirma tu correo electrónico para {appName}',
    preview: 'Un clic y tu dirección quedará confirmada.',
    heading: 'Confirma tu correo electrónico',
    body: ['Confirma que esta dirección es tuya para empezar a usar tu cuenta de {appName}.'],
    button: 'Confirmar dirección',
    after: [
      'El enlace funciona una sola vez. Validez: {duration}.',
      'Si no has creado ninguna cuenta, puedes ignorar este mensaje.',
    ],
  },
  'email-changed-verify': {
    subject: 'Confirma tu nuevo correo electrónico para {appName}',
    preview: 'Un clic y tu nueva dirección quedará confirmada.',
    heading: 'Confirma tu nuevo correo electrónico',
    body: ['Esta dirección se ha indicado en una cuenta de {appName}. Confirma que es tuya.'],
    button: 'Confirmar dirección',
    after: [
      'El enlace funciona una sola vez. Validez: {duration}.',
      'Si no has pedido este cambio, puedes ignorar este mensaje.',
    ],
  },
  'reset-password': {
    subject: 'Restablece tu contraseña de {appName}',
    preview: 'Elige una contraseña nueva para tu cuenta.',
    heading: 'Elige una contraseña nueva',
    body: ['Alguien, esperamos que tú, ha pedido restablecer la contraseña de tu cuenta de {appName}.'],
    button: 'Elegir contraseña nueva',
    after: [
      'El enlace funciona una sola vez. Validez: {duration}.',
      'Si no has sido tú, ignora este mensaje. Tu contraseña seguirá siendo la misma.',
    ],
  },
  'change-email': {
    subject: 'Aprueba el nuevo correo electrónico de tu cuenta de {appName}',
    preview: 'La dirección solo cambiará si lo apruebas.',
    heading: 'Aprueba tu nuevo correo electrónico',
    body: [
      'Has pedido cambiar la dirección de tu cuenta de {appName} a {newEmail}.',
      'Abre el enlace en el navegador en el que has iniciado sesión.',
    ],
    button: 'Aprobar el cambio',
    after: [
      'El enlace funciona una sola vez. Validez: {duration}.',
      'Si no has sido tú, no abras el enlace y cambia tu contraseña: puede que alguien esté usando tu cuenta.',
    ],
  },
  'password-changed': {
    subject: 'Se ha cambiado tu contraseña de {appName}',
    preview: 'Si has sido tú, no tienes que hacer nada.',
    heading: 'Se ha cambiado tu contraseña',
    body: ['La contraseña de tu cuenta de {appName} se acaba de cambiar. Si has sido tú, no tienes que hacer nada.'],
    button: 'Restablecer la contraseña',
    after: [
      'Si no has sido tú, restablece tu contraseña de inmediato: así también se cerrarán todas las sesiones abiertas.',
    ],
  },
  'account-linked': {
    subject: 'Se ha conectado {providerName} a tu cuenta de {appName}',
    preview: 'Si has sido tú, no tienes que hacer nada.',
    heading: 'Se ha conectado una cuenta',
    body: [
      'Ahora se puede iniciar sesión en tu cuenta de {appName} con una cuenta de {providerName}. Si has sido tú, no tienes que hacer nada.',
    ],
    button: 'Ver las cuentas conectadas',
    after: ['Si no has sido tú, desconecta esa cuenta y cambia tu contraseña de inmediato.'],
  },
  'email-changed': {
    subject: 'Se ha cambiado el correo electrónico de tu cuenta de {appName}',
    preview: 'Si has sido tú, no tienes que hacer nada.',
    heading: 'Se ha cambiado tu correo electrónico',
    body: [
      'Tu cuenta de {appName} usa ahora la dirección {newEmail}. A esta ya no llegarán más mensajes.',
      'Si has sido tú, no tienes que hacer nada. Si no, ponte en contacto de inmediato con los responsables de {appName}.',
    ],
    after: [],
  },
  'existing-account': {
    subject: 'Ya tienes una cuenta de {appName}',
    preview: 'Inicia sesión o restablece tu contraseña si la has olvidado.',
    heading: 'Ya tienes una cuenta',
    body: [
      'Alguien, quizá tú, ha intentado registrarse en {appName} con esta dirección. Ya tiene una cuenta, así que no se ha cambiado nada.',
    ],
    button: 'Iniciar sesión',
    after: [
      '¿Has olvidado tu contraseña? Restablécela aquí: {resetUrl}',
      'Si no has sido tú, puedes ignorar este mensaje.',
    ],
  },
  'delete-account': {
    subject: 'Confirma la eliminación de tu cuenta de {appName}',
    preview: 'La cuenta solo se eliminará si lo confirmas.',
    heading: '¿Eliminar tu cuenta?',
    body: [
      'Has pedido eliminar tu cuenta de {appName}. En cuanto abras el enlace, la cuenta y sus datos se eliminarán para siempre.',
      'Abre el enlace en el navegador en el que has iniciado sesión.',
    ],
    button: 'Eliminar mi cuenta',
    after: [
      'El enlace funciona una sola vez. Validez: {duration}.',
      'Si no has sido tú, no abras el enlace y cambia tu contraseña: puede que alguien esté usando tu cuenta.',
    ],
  },
  'magic-link': {
    subject: 'Tu enlace para entrar en {appName}',
    preview: 'Entra con el botón o con el código.',
    heading: 'Entra en {appName}',
    body: ['Alguien, esperamos que tú, ha pedido entrar con esta dirección.'],
    button: 'Entrar',
    code: 'O escribe este código donde pediste el mensaje:',
    after: [
      'El enlace y el código funcionan una sola vez. Validez: {duration}.',
      'Si no has sido tú, ignora este mensaje y no des el código a nadie: quien lo tenga puede entrar como si fueras tú.',
    ],
  },
  invitation: {
    subject: 'Invitación a una organización de {appName}',
    preview: 'Mira quién te invita y decide si aceptas.',
    heading: 'Tienes una invitación',
    body: [
      '{inviter} te invita a unirte a la organización {organizationName} de {appName}.',
      'Tu rol en ella: {role}.',
    ],
    button: 'Ver la invitación',
    after: [
      'La invitación es solo para esta dirección. Validez: {duration}.',
      'Si no sabes quién te invita, puedes ignorar este mensaje.',
    ],
  },
  'join-request': {
    subject: 'Alguien pide unirse a tu organización de {appName}',
    preview: 'Aprueba la solicitud o recházala.',
    heading: 'Una solicitud para unirse',
    body: ['{requester} pide unirse a la organización {organizationName} de {appName}.'],
    button: 'Ver la solicitud',
    after: ['Mientras nadie la apruebe, esa persona no verá nada de la organización.'],
  },
  'join-approved': {
    subject: 'Ya formas parte de una organización de {appName}',
    preview: 'Se ha aprobado tu solicitud para unirte.',
    heading: 'Se ha aprobado tu solicitud',
    body: ['Ya formas parte de la organización {organizationName} de {appName}.'],
    button: 'Abrir la organización',
    after: [],
  },
  'ownership-received': {
    subject: 'Ahora una organización de {appName} es tuya',
    preview: 'Te han traspasado la organización.',
    heading: 'La organización ahora es tuya',
    body: [
      'Ahora la organización {organizationName} de {appName} es tuya y puedes hacerlo todo en ella.',
      'Te la ha traspasado: {previousOwner}.',
    ],
    button: 'Abrir la organización',
    after: ['Si no lo esperabas, habla con quien te la ha traspasado.'],
  },
  receipt: {
    subject: 'Tu recibo de {organizationName}',
    preview: 'Lo que has comprado y lo que ha costado.',
    heading: 'Tu recibo',
    body: ['Gracias. {organizationName} ha recibido tu pedido.'],
    button: 'Ver el recibo',
    after: ['El enlace muestra tu recibo a quien lo tenga: no compartas este correo.'],
  },
  refund: {
    subject: 'Tu reembolso de {organizationName}',
    preview: 'Lo que se te devuelve.',
    heading: 'Tu reembolso',
    body: [
      '{organizationName} ha devuelto {amount} de los {paid} que pagaste. El dinero tarda unos días en llegar a tu cuenta.',
    ],
    after: ['La nota de crédito va adjunta a este correo.'],
  },
  'refund-failed': {
    subject: 'Tu reembolso de {organizationName} no ha llegado',
    preview: 'El dinero ha vuelto.',
    heading: 'Tu reembolso no ha llegado',
    body: [
      '{organizationName} ha devuelto tu pago, en todo o en parte, pero el dinero no se pudo abonar en tu cuenta y ha vuelto al vendedor. Pregunta al vendedor cómo puedes recibirlo.',
    ],
    after: ['La nota de crédito que recibiste está anulada; va adjunta de nuevo a este correo, con esa indicación.'],
  },
  'webhook-disabled': {
    subject: 'Se ha desactivado un endpoint de webhooks en {appName}',
    preview: 'Ya no se le envían eventos.',
    heading: 'Se ha desactivado un endpoint de webhooks',
    body: [
      'El endpoint de webhooks {endpoint} de la organización {organizationName} en {appName} se ha desactivado y no se le envía nada. {reason}',
    ],
    button: 'Ver el endpoint',
    after: ['Cuando el receptor vuelva a funcionar, actívelo y envíe de nuevo lo que se ha perdido.'],
  },
  dispute: {
    subject: 'Se ha disputado un pago en {appName}',
    preview: 'Responde a tiempo o perderás el dinero.',
    heading: 'Se ha disputado un pago',
    body: [
      'Un comprador de la organización {organizationName} disputa un pago en su banco. Quien no responde a tiempo pierde el dinero.',
    ],
    button: 'Ver el pedido',
    after: [
      'Los administradores de {appName} responden en el procesador de pagos y ya están avisados: entrégales tus pruebas a tiempo.',
      'Mientras la disputa esté abierta, el pago no se puede reembolsar.',
    ],
  },
  inquiry: {
    subject: 'Un banco pregunta por un pago en {appName}',
    preview: 'Reembólsalo o haz que se responda, o se convertirá en una disputa.',
    heading: 'Un banco pregunta por un pago',
    body: [
      'Un comprador de la organización {organizationName} ha preguntado a su banco por un pago. Todavía no se ha retirado nada; si nadie responde a tiempo, se convertirá en una disputa.',
    ],
    button: 'Ver el pedido',
    after: [
      'Reembolsa el pago o entrega tus pruebas a tiempo a los administradores de {appName}: ellos responden en el procesador de pagos y ya están avisados.',
    ],
  },
  'dispute-to-answer': {
    subject: 'Una disputa espera tu respuesta en {appName}',
    preview: 'Responde a tiempo o se perderá el dinero.',
    heading: 'Una disputa espera tu respuesta',
    body: [
      'Un comprador de la organización {organizationName} disputa un pago en su banco, o el banco pregunta por él. Si nadie responde a tiempo, se pierde el dinero.',
    ],
    button: 'Ver las disputas abiertas',
    after: [
      'Solo tú puedes responder: la cuenta en el procesador de pagos es de {appName}. Pide las pruebas a la organización; también está avisada.',
    ],
  },
}
