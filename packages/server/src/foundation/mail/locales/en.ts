import type { MailMessages } from './messages.ts'

export const en: MailMessages = {
  dir: 'ltr',
  greeting: 'Hello {name},',
  greetingWithoutName: 'Hello,',
  copyLink: 'If the button does not work, copy this address into your browser:',
  footer: 'Sent by {appName} · {host}',
  ledger: {
    number: 'Receipt',
    invoice: 'Invoice',
    creditNote: 'Credit note',
    date: 'Date',
    buyer: 'Billed to',
    discount: 'Discount',
    tax: 'Tax',
    reverseCharge: 'Reverse charge: the recipient of the supply is liable for the tax.',
    total: 'Total',
    refunded: 'Refunded',
    disputed: 'Disputed',
    answerUntil: 'Answer until',
    testMode: 'Test mode: no real money has moved.',
  },
  webhookReasons: {
    gone: 'Its receiver has answered that it is gone for good (status 410).',
    failing: 'Since {since} its receiver has refused every event, or has not answered.',
  },
  endingOrganizations:
    'Nobody else is in these organizations, so they are deleted along with your account: {organizations}.',
  'verify-email': {
    subject: 'Confirm your email address for {appName}',
    preview: 'One click and your address is confirmed.',
    heading: 'Confirm your email address',
    body: ['Please confirm that this address belongs to you, so that your {appName} account is ready to use.'],
    button: 'Confirm address',
    after: [
      'The link works once and is valid for {duration}.',
      'If you did not create an account, you can ignore this mail.',
    ],
  },
  'email-changed-verify': {
    subject: 'Confirm your new email address for {appName}',
    preview: 'One click and your new address is confirmed.',
    heading: 'Confirm your new email address',
    body: ['This address was set for an account at {appName}. Please confirm that it belongs to you.'],
    button: 'Confirm address',
    after: [
      'The link works once and is valid for {duration}.',
      'If you did not ask for this change, you can ignore this mail.',
    ],
  },
  'reset-password': {
    subject: 'Reset your {appName} password',
    preview: 'Choose a new password for your account.',
    heading: 'Choose a new password',
    body: ['Somebody, hopefully you, asked to reset the password of your {appName} account.'],
    button: 'Choose a new password',
    after: [
      'The link works once and is valid for {duration}.',
      'If it was not you, ignore this mail. Your password stays as it is.',
    ],
  },
  'change-email': {
    subject: 'Approve the new email address of your {appName} account',
    preview: 'The address changes only if you approve it.',
    heading: 'Approve your new email address',
    body: [
      'You asked to change the address of your {appName} account to {newEmail}.',
      'Open the link in the browser in which you are signed in.',
    ],
    button: 'Approve the change',
    after: [
      'The link works once and is valid for {duration}.',
      'If it was not you, do not open the link and change your password: somebody may be using your account.',
    ],
  },
  'password-changed': {
    subject: 'Your {appName} password was changed',
    preview: 'If it was you, there is nothing to do.',
    heading: 'Your password was changed',
    body: ['The password of your {appName} account has just been changed. If it was you, there is nothing to do.'],
    button: 'Reset the password',
    after: ['If it was not you, reset your password at once: that also ends every open session.'],
  },
  'account-linked': {
    subject: '{providerName} was connected to your {appName} account',
    preview: 'If it was you, there is nothing to do.',
    heading: 'An account was connected',
    body: [
      'An account at {providerName} can now sign in to your {appName} account. If it was you, there is nothing to do.',
    ],
    button: 'See connected accounts',
    after: ['If it was not you, disconnect that account and change your password at once.'],
  },
  'email-changed': {
    subject: 'The email address of your {appName} account was changed',
    preview: 'If it was you, there is nothing to do.',
    heading: 'Your email address was changed',
    body: [
      'Your {appName} account now uses the address {newEmail}. Mails no longer come to this one.',
      'If it was you, there is nothing to do. If it was not, contact the people who run {appName} at once.',
    ],
    after: [],
  },
  'existing-account': {
    subject: 'You already have an account at {appName}',
    preview: 'Sign in, or reset your password if you have forgotten it.',
    heading: 'You already have an account',
    body: [
      'Somebody, perhaps you, tried to sign up to {appName} with this address. It already has an account, so nothing was changed.',
    ],
    button: 'Sign in',
    after: ['Forgotten your password? Reset it here: {resetUrl}', 'If it was not you, you can ignore this mail.'],
  },
  'delete-account': {
    subject: 'Confirm the deletion of your {appName} account',
    preview: 'The account is deleted only if you confirm.',
    heading: 'Delete your account?',
    body: [
      'You asked to delete your {appName} account. Once you open the link, the account and its data are deleted for good.',
      'Open the link in the browser in which you are signed in.',
    ],
    button: 'Delete my account',
    after: [
      'The link works once and is valid for {duration}.',
      'If it was not you, do not open the link and change your password: somebody may be using your account.',
    ],
  },
  'magic-link': {
    subject: 'Your link to sign in to {appName}',
    preview: 'Sign in with the button or the code.',
    heading: 'Sign in to {appName}',
    body: ['Somebody, hopefully you, asked to sign in with this address.'],
    button: 'Sign in',
    code: 'Or type this code where you asked for the mail:',
    after: [
      'Link and code work once and are valid for {duration}.',
      'If it was not you, ignore this mail, and give the code to nobody: whoever has it can sign in as you.',
    ],
  },
  invitation: {
    subject: 'You are invited to an organization at {appName}',
    preview: 'See who invites you, then accept or decline.',
    heading: 'You are invited',
    body: [
      '{inviter} invites you to join the organization {organizationName} at {appName}.',
      'Your role there: {role}.',
    ],
    button: 'View the invitation',
    after: [
      'The invitation is for this address only and is valid for {duration}.',
      'If you do not know who invites you, you can ignore this mail.',
    ],
  },
  'join-request': {
    subject: 'Somebody asks to join your organization at {appName}',
    preview: 'Approve the request or deny it.',
    heading: 'A request to join',
    body: ['{requester} asks to join the organization {organizationName} at {appName}.'],
    button: 'View the request',
    after: ['Until somebody has approved it, the person sees nothing of the organization.'],
  },
  'join-approved': {
    subject: 'You are now a member of an organization at {appName}',
    preview: 'Your request to join was approved.',
    heading: 'Your request was approved',
    body: ['You are now a member of the organization {organizationName} at {appName}.'],
    button: 'Open the organization',
    after: [],
  },
  'ownership-received': {
    subject: 'You now own an organization at {appName}',
    preview: 'The organization was handed over to you.',
    heading: 'You are now an owner',
    body: [
      'You now own the organization {organizationName} at {appName} and can do everything in it.',
      'Handed over by: {previousOwner}.',
    ],
    button: 'Open the organization',
    after: ['If you did not expect this, talk to whoever handed it over to you.'],
  },
  receipt: {
    subject: 'Your receipt from {organizationName}',
    preview: 'What you bought, and what it cost.',
    heading: 'Your receipt',
    body: ['Thank you. {organizationName} has received your order.'],
    button: 'View the receipt',
    after: ['The link shows your receipt to whoever has it: keep this mail to yourself.'],
  },
  refund: {
    subject: 'Your refund from {organizationName}',
    preview: 'What you are given back.',
    heading: 'Your refund',
    body: [
      '{organizationName} has given back {amount} of the {paid} that you paid. It takes some days until the money is in your account.',
    ],
    after: ['The credit note is attached to this mail.'],
  },
  'refund-failed': {
    subject: 'Your refund from {organizationName} did not arrive',
    preview: 'The money has come back.',
    heading: 'Your refund did not arrive',
    body: [
      '{organizationName} has given back what you paid, or a part of it, but the money could not be put into your account, and has come back to the seller. Ask the seller how you can get it.',
    ],
    after: ['The credit note that you were sent is void; it is attached to this mail once more, and says so.'],
  },
  'webhook-disabled': {
    subject: 'A webhook endpoint was switched off at {appName}',
    preview: 'Events are not sent to it any more.',
    heading: 'A webhook endpoint was switched off',
    body: [
      'The webhook endpoint {endpoint} of the organization {organizationName} at {appName} was switched off, and nothing is sent to it. {reason}',
    ],
    button: 'Look at the endpoint',
    after: ['When its receiver works again, switch it on and send again what it has missed.'],
  },
  dispute: {
    subject: 'A payment is disputed at {appName}',
    preview: 'Answer in time, or the money is gone.',
    heading: 'A payment is disputed',
    body: [
      'A buyer of the organization {organizationName} disputes a payment at their bank. Whoever does not answer in time loses the money.',
    ],
    button: 'Look at the order',
    after: [
      'The administrators of {appName} answer it at the payment processor, and have been told: give them your evidence in time.',
      'As long as the dispute is open, the payment cannot be given back.',
    ],
  },
  inquiry: {
    subject: 'A bank asks about a payment at {appName}',
    preview: 'Give it back or have it answered, or it becomes a dispute.',
    heading: 'A bank asks about a payment',
    body: [
      'A buyer of the organization {organizationName} has asked their bank about a payment. Nothing was taken back yet; if nobody answers in time, it becomes a dispute.',
    ],
    button: 'Look at the order',
    after: [
      'Give the money back, or give your evidence to the administrators of {appName} in time: they answer at the payment processor, and have been told.',
    ],
  },
  'dispute-to-answer': {
    subject: 'A dispute waits for your answer at {appName}',
    preview: 'Answer in time, or the money is gone.',
    heading: 'A dispute waits for your answer',
    body: [
      'A buyer of the organization {organizationName} disputes a payment at their bank, or the bank asks about it. If nobody answers in time, the money is lost.',
    ],
    button: 'Show open disputes',
    after: [
      'Only you can answer: the account at the payment processor belongs to {appName}. Ask the organization for its evidence; it has been told as well.',
    ],
  },
}
