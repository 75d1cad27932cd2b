import type { MailMessages } from './messages.ts'

export const fr: MailMessages = {
  dir: 'ltr',
  greeting: 'Bonjour {name},',
  greetingWithoutName: 'Bonjour,',
  copyLink: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
  footer: 'Envoyé par {appName} · {host}',
  ledger: {
    number: 'Reçu',
    invoice: 'Facture',
    creditNote: 'Avoir',
    date: 'Date',
    buyer: 'Facturé à',
    discount: 'Remise',
    tax: 'Taxes',
    reverseCharge: 'Autoliquidation : la taxe est due par le preneur.',
    total: 'Total',
    refunded: 'Remboursé',
    disputed: 'Montant contesté',
    answerUntil: 'Répondre avant le',
    testMode: 'Mode test : aucun argent réel n’a été débité.',
  },
  webhookReasons: {
    gone: 'Son récepteur a répondu qu’il n’existe plus (statut 410).',
    failing: 'Depuis le {since}, son récepteur a refusé chaque événement ou n’a pas répondu.',
  },
  endingOrganizations:
    'Ces organisations, dont personne d’autre n’est membre, seront supprimées avec votre compte : {organizations}.',
  'verify-email': {
    subject: 'Confirmez votre adresse e-mail pour {appName}',
    preview: 'Un clic et votre adresse est confirmée.',
    heading: 'Confirmez votre adresse e-mail',
    body: ['Confirmez que cette adresse vous appartient pour pouvoir utiliser votre compte {appName}.'],
    button: 'Confirmer l’adresse',
    after: [
      'Le lien ne fonctionne qu’une seule fois. Durée de validité : {duration}.',
      'Si vous n’avez pas créé de compte, vous pouvez ignorer ce message.',
    ],
  },
  'email-changed-verify': {
    subject: 'Confirmez votre nouvelle adresse e-mail pour {appName}',
    preview: 'Un clic et votre nouvelle adresse est confirmée.',
    heading: 'Confirmez votre nouvelle adresse e-mail',
    body: ['Cette adresse a été associée à un compte {appName}. Confirmez qu’elle vous appartient.'],
    button: 'Confirmer l’adresse',
    after: [
      'Le lien ne fonctionne qu’une seule fois. Durée de validité : {duration}.',
      'Si vous n’avez pas demandé ce changement, vous pouvez ignorer ce message.',
    ],
  },
  'reset-password': {
    subject: 'Réinitialisez votre mot de passe {appName}',
    preview: 'Choisissez un nouveau mot de passe pour votre compte.',
    heading: 'Choisissez un nouveau mot de passe',
    body: ['Quelqu’un, vous sans doute, a demandé à réinitialiser le mot de passe de votre compte {appName}.'],
    button: 'Choisir un nouveau mot de passe',
    after: [
      'Le lien ne fonctionne qu’une seule fois. Durée de validité : {duration}.',
      'Si ce n’était pas vous, ignorez ce message. Votre mot de passe reste inchangé.',
    ],
  },
  'change-email': {
    subject: 'Approuvez la nouvelle adresse e-mail de votre compte {appName}',
    preview: 'L’adresse ne changera que si vous l’approuvez.',
    heading: 'Approuvez votre nouvelle adresse e-mail',
    body: [
      'Vous avez demandé à remplacer l’adresse de votre compte {appName} par {newEmail}.',
      'Ouvrez le lien dans le navigateur où vous êtes connecté à votre compte.',
    ],
    button: 'Approuver le changement',
    after: [
      'Le lien ne fonctionne qu’une seule fois. Durée de validité : {duration}.',
      'Si ce n’était pas vous, n’ouvrez pas le lien et changez votre mot de passe : quelqu’un utilise peut-être votre compte.',
    ],
  },
  'password-changed': {
    subject: 'Votre mot de passe {appName} a été modifié',
    preview: 'Si c’était vous, vous n’avez rien à faire.',
    heading: 'Votre mot de passe a été modifié',
    body: [
      'Le mot de passe de votre compte {appName} vient d’être modifié. Si c’était vous, vous n’avez rien à faire.',
    ],
    button: 'Réinitialiser le mot de passe',
    after: [
      'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe : toutes les sessions ouvertes seront aussi fermées.',
    ],
  },
  'account-linked': {
    subject: '{providerName} a été associé à votre compte {appName}',
    preview: 'Si c’était vous, vous n’avez rien à faire.',
    heading: 'Un compte a été associé',
    body: [
      'Un compte {providerName} permet désormais de se connecter à votre compte {appName}. Si c’était vous, vous n’avez rien à faire.',
    ],
    button: 'Voir les comptes associés',
    after: ['Si ce n’était pas vous, dissociez ce compte et changez votre mot de passe sans attendre.'],
  },
  'email-changed': {
    subject: 'L’adresse e-mail de votre compte {appName} a été modifiée',
    preview: 'Si c’était vous, vous n’avez rien à faire.',
    heading: 'Votre adresse e-mail a été modifiée',
    body: [
      'Votre compte {appName} utilise désormais l’adresse {newEmail}. Celle-ci ne recevra plus de messages.',
      'Si c’était vous, vous n’avez rien à faire. Sinon, contactez immédiatement les responsables de {appName}.',
    ],
    after: [],
  },
  'existing-account': {
    subject: 'Vous avez déjà un compte {appName}',
    preview: 'Connectez-vous ou réinitialisez votre mot de passe si vous l’avez oublié.',
    heading: 'Vous avez déjà un compte',
    body: [
      'Quelqu’un, peut-être vous, a essayé de s’inscrire sur {appName} avec cette adresse. Elle a déjà un compte, rien n’a donc été modifié.',
    ],
    button: 'Se connecter',
    after: [
      'Mot de passe oublié ? Réinitialisez-le ici : {resetUrl}',
      'Si ce n’était pas vous, vous pouvez ignorer ce message.',
    ],
  },
  'delete-account': {
    subject: 'Confirmez la suppression de votre compte {appName}',
    preview: 'Le compte ne sera supprimé que si vous confirmez.',
    heading: 'Supprimer votre compte ?',
    body: [
      'Vous avez demandé à supprimer votre compte {appName}. Dès que vous ouvrirez le lien, le compte et ses données seront définitivement supprimés.',
      'Ouvrez le lien dans le navigateur où vous êtes connecté à votre compte.',
    ],
    button: 'Supprimer mon compte',
    after: [
      'Le lien ne fonctionne qu’une seule fois. Durée de validité : {duration}.',
      'Si ce n’était pas vous, n’ouvrez pas le lien et changez votre mot de passe : quelqu’un utilise peut-être votre compte.',
    ],
  },
  'magic-link': {
    subject: 'Votre lien de connexion à {appName}',
    preview: 'Connectez-vous avec le bouton ou le code.',
    heading: 'Connectez-vous à {appName}',
    body: ['Quelqu’un, vous sans doute, a demandé à se connecter avec cette adresse.'],
    button: 'Se connecter',
    code: 'Ou saisissez ce code là où vous avez demandé ce message :',
    after: [
      'Le lien et le code ne fonctionnent qu’une seule fois. Durée de validité : {duration}.',
      'Si ce n’était pas vous, ignorez ce message et ne donnez le code à personne : qui le connaît peut se connecter à votre place.',
    ],
  },
  invitation: {
    subject: 'Invitation à rejoindre une organisation sur {appName}',
    preview: 'Voyez qui vous invite, puis décidez.',
    heading: 'Vous avez une invitation',
    body: [
      '{inviter} vous invite à rejoindre l’organisation {organizationName} sur {appName}.',
      'Votre rôle : {role}.',
    ],
    button: 'Voir l’invitation',
    after: [
      'L’invitation ne vaut que pour cette adresse. Durée de validité : {duration}.',
      'Si vous ne savez pas qui vous invite, vous pouvez ignorer ce message.',
    ],
  },
  'join-request': {
    subject: 'Quelqu’un demande à rejoindre votre organisation sur {appName}',
    preview: 'Acceptez ou refusez la demande.',
    heading: 'Une demande d’adhésion',
    body: ['{requester} demande à rejoindre l’organisation {organizationName} sur {appName}.'],
    button: 'Voir la demande',
    after: ['Tant que personne ne l’a acceptée, cette personne ne voit rien de l’organisation.'],
  },
  'join-approved': {
    subject: 'Vous êtes maintenant membre d’une organisation sur {appName}',
    preview: 'Votre demande d’adhésion a été acceptée.',
    heading: 'Votre demande a été acceptée',
    body: ['Vous êtes maintenant membre de l’organisation {organizationName} sur {appName}.'],
    button: 'Ouvrir l’organisation',
    after: [],
  },
  'ownership-received': {
    subject: 'Une organisation sur {appName} vous appartient désormais',
    preview: 'L’organisation vous a été transférée.',
    heading: 'L’organisation vous appartient désormais',
    body: [
      'L’organisation {organizationName} sur {appName} vous appartient désormais et vous pouvez tout y faire.',
      'Transférée par : {previousOwner}.',
    ],
    button: 'Ouvrir l’organisation',
    after: ['Si vous ne vous y attendiez pas, parlez-en à la personne qui vous l’a transférée.'],
  },
  receipt: {
    subject: 'Votre reçu de {organizationName}',
    preview: 'Ce que vous avez acheté et ce que cela a coûté.',
    heading: 'Votre reçu',
    body: ['Merci. {organizationName} a bien reçu votre commande.'],
    button: 'Voir le reçu',
    after: ['Le lien montre votre reçu à toute personne qui le possède : gardez cet e-mail pour vous.'],
  },
  refund: {
    subject: 'Votre remboursement de {organizationName}',
    preview: 'Ce qui vous est rendu.',
    heading: 'Votre remboursement',
    body: [
      '{organizationName} a remboursé {amount} sur les {paid} que vous avez payés. Le montant arrive sur votre compte après quelques jours.',
    ],
    after: ['L’avoir est joint à cet e-mail.'],
  },
  'refund-failed': {
    subject: 'Votre remboursement de {organizationName} n’est pas arrivé',
    preview: 'L’argent est revenu.',
    heading: 'Votre remboursement n’est pas arrivé',
    body: [
      '{organizationName} a remboursé votre paiement, en tout ou en partie, mais l’argent n’a pas pu être versé sur votre compte et est revenu au vendeur. Demandez au vendeur comment le recevoir.',
    ],
    after: ['L’avoir que vous avez reçu est annulé ; il est joint de nouveau à cet e-mail, avec cette mention.'],
  },
  'webhook-disabled': {
    subject: 'Un point de terminaison webhook a été désactivé sur {appName}',
    preview: 'Plus aucun événement ne lui est envoyé.',
    heading: 'Un point de terminaison webhook a été désactivé',
    body: [
      'Le point de terminaison webhook {endpoint} de l’organisation {organizationName} sur {appName} a été désactivé, et rien ne lui est plus envoyé. {reason}',
    ],
    button: 'Voir le point de terminaison',
    after: ['Quand son récepteur fonctionnera de nouveau, réactivez-le et renvoyez ce qu’il a manqué.'],
  },
  dispute: {
    subject: 'Un paiement est contesté sur {appName}',
    preview: 'Répondez à temps, sinon l’argent est perdu.',
    heading: 'Un paiement est contesté',
    body: [
      'Un acheteur de l’organisation {organizationName} conteste un paiement auprès de sa banque. Qui ne répond pas à temps perd l’argent.',
    ],
    button: 'Voir la commande',
    after: [
      'Les administrateurs de {appName} répondent auprès du prestataire de paiement et ont été prévenus : donnez-leur vos preuves à temps.',
      'Tant que la contestation est ouverte, le paiement ne peut pas être remboursé.',
    ],
  },
  inquiry: {
    subject: 'Une banque pose une question sur un paiement sur {appName}',
    preview: 'Remboursez-le ou faites répondre, sinon il sera contesté.',
    heading: 'Une banque pose une question sur un paiement',
    body: [
      'Un acheteur de l’organisation {organizationName} a interrogé sa banque au sujet d’un paiement. Rien n’a encore été repris ; si personne ne répond à temps, il sera contesté.',
    ],
    button: 'Voir la commande',
    after: [
      'Remboursez le paiement, ou donnez à temps vos preuves aux administrateurs de {appName} : ils répondent auprès du prestataire de paiement et ont été prévenus.',
    ],
  },
  'dispute-to-answer': {
    subject: 'Une contestation attend votre réponse sur {appName}',
    preview: 'Répondez à temps, sinon l’argent est perdu.',
    heading: 'Une contestation attend votre réponse',
    body: [
      'Un acheteur de l’organisation {organizationName} conteste un paiement auprès de sa banque, ou la banque pose une question à son sujet. Si personne ne répond à temps, l’argent est perdu.',
    ],
    button: 'Voir les contestations ouvertes',
    after: [
      'Vous seul pouvez répondre : le compte chez le prestataire de paiement est celui de {appName}. Demandez ses preuves à l’organisation ; elle a été prévenue aussi.',
    ],
  },
}
