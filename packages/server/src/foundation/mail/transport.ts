import type { Transporter } from 'nodemailer'
import { canReceiveMail, isHeaderText, isSingleAddress, readSender } from '../config/mailbox.ts'
import { membersOf, messageOf } from '../proof/proven.ts'

declare module '../context.ts' {
  interface Ports {
    readonly mail: MailTransport
  }
}

/** A file attached to a mail. */
export type MailAttachment = {
  /** Letters, digits, `.`, `_` and `-`. */
  readonly name: string
  readonly type: string
  readonly content: Buffer<ArrayBuffer>
}

/** One mail from the rest of the server: a single recipient, always with a plain-text part. */
export interface MailMessage {
  to: string
  subject: string
  html: string
  text: string
  attachments?: readonly MailAttachment[] | undefined
  /** Makes the Message-ID stable, so that mail programs can drop the second copy of a job that runs twice. */
  id?: string | undefined
}

/** The argument of a configured `sendEmail`, which replaces the SMTP server. */
export type SendEmail = (message: MailMessage & { from: string }) => Promise<void> | void

export interface MailTransportOptions {
  /** `smtp://user:pass@host:587` (STARTTLS) or `smtps://user:pass@host:465` (TLS from the first byte). */
  smtpUrl?: string | undefined
  /** `no-reply@acme.example` or `Acme <no-reply@acme.example>`. */
  from: string
  /** Replaces SMTP when given, also when `smtpUrl` is set. */
  sendEmail?: SendEmail | undefined
  /** Time-out for the connection, the greeting and each answer, in milliseconds. */
  timeoutMilliseconds?: number | undefined
}

export interface MailTransport {
  readonly kind: 'smtp' | 'function' | 'none'
  /** Resolves when the next server has accepted the mail, else rejects with a `MailError`. */
  send(message: MailMessage): Promise<void>
  /** Prepares a mail as `send` does, without sending it. Rejects with a `MailError`. */
  rehearse(message: MailMessage): Promise<void>
  /** Connects and signs in without sending anything. */
  verify(): Promise<void>
  close(): void
}

/** A mail that was not sent. `permanent`: a retry of the same mail cannot succeed. */
export class MailError extends Error {
  readonly permanent: boolean

  constructor(message: string, options: { permanent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'MailError'
    this.permanent = options.permanent
  }
}

const defaultTimeoutMilliseconds = 10_000

const requireSendable = ({ to, subject }: MailMessage): void => {
  if (!isSingleAddress(to)) throw new MailError('The address is not exactly one mailbox', { permanent: true })
  if (!canReceiveMail(to)) throw new MailError('The address cannot receive mail', { permanent: true })
  if (!isHeaderText(subject)) throw new MailError('The subject contains control characters', { permanent: true })
}

const requireSender = (from: string) => {
  const sender = readSender(from)
  if (!sender) throw new Error('EMAIL_FROM is not one address, with or without a name')
  return sender
}

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\./.test(host)

const smtpOptions = (smtpUrl: string, timeout: number) => {
  const url = URL.canParse(smtpUrl) ? new URL(smtpUrl) : undefined
  // The value holds a password, so the message omits it.
  if (!url?.hostname || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:'))
    throw new Error('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465')
  const secure = url.protocol === 'smtps:'
  const auth = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    // Otherwise an attacker on the path could strip STARTTLS from the greeting and read the password.
    // `?requireTLS=false` allows a relay without TLS inside a private network.
    requireTLS: !!auth && !secure && !isLoopback(url.hostname) && url.searchParams.get('requireTLS') !== 'false',
    ...(auth && { auth }),
    pool: true as const,
    maxConnections: 3,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    // A mail's text must never make the server read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// A refusal while connecting, saying hello, starting TLS or signing in concerns the server's settings, not this mail.
// Once they are fixed the mail can go out, so it must not be given up.
const aboutThisMail = /^(?:MAIL FROM|RCPT TO|DATA|API)/

const toMailError = (cause: unknown): MailError => {
  if (cause instanceof MailError) return cause
  const { code, command, responseCode } = membersOf(cause)
  const permanent =
    typeof responseCode === 'number' && responseCode >= 500 && aboutThisMail.test(String(command ?? 'DATA'))
  return new MailError(`Mail not sent${typeof code === 'string' ? ` (${code})` : ''}: ${messageOf(cause)}`, {
    permanent,
    cause,
  })
}

const orMailError = async (work: () => unknown): Promise<void> => {
  try {
    await work()
  } catch (error) {
    throw toMailError(error)
  }
}

/** Renders a mail into memory, as it would go over the wire. */
const toMemory = { streamTransport: true, buffer: true, disableFileAccess: true, disableUrlAccess: true } as const

/** Loads the library with the first mail: it takes memory, and servers that send no SMTP never need it. */
const lazyTransporter = (options: ReturnType<typeof smtpOptions>) => {
  let transporter: Promise<Transporter> | undefined
  let rehearsal: Promise<Transporter> | undefined
  let closed = false
  return {
    rehearsal: (): Promise<Transporter> => {
      rehearsal ??= import('nodemailer').then(({ createTransport }): Transporter => createTransport(toMemory))
      return rehearsal
    },
    transporter: (): Promise<Transporter> => {
      if (closed && !transporter) throw new MailError('The server is stopping', { permanent: false })
      transporter ??= import('nodemailer').then(({ createTransport }): Transporter => createTransport(options))
      return transporter
    },
    close: (): void => {
      closed = true
      void transporter?.then((opened) => opened.close())
    },
  }
}

/** Chooses the transport: a configured function, SMTP, or (with neither) none. */
export const createMailTransport = (options: MailTransportOptions): MailTransport => {
  const { smtpUrl, sendEmail, timeoutMilliseconds = defaultTimeoutMilliseconds } = options
  const sender = requireSender(options.from)

  if (sendEmail)
    return {
      kind: 'function',
      send: (message) =>
        orMailError(() => {
          requireSendable(message)
          return sendEmail({ ...message, from: options.from })
        }),
      rehearse: async (message) => requireSendable(message),
      async verify() {},
      close() {},
    }

  if (!smtpUrl) {
    // Not permanent: the mails wait in the queue until SMTP_URL is set.
    const refuse = async () => {
      throw new MailError('No mail server is configured (SMTP_URL)', { permanent: false })
    }
    return { kind: 'none', send: refuse, rehearse: refuse, verify: refuse, close() {} }
  }

  const connect = lazyTransporter(smtpOptions(smtpUrl, timeoutMilliseconds))
  const senderDomain = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  const compose = (message: MailMessage) => {
    requireSendable(message)
    const { to, subject, html, text, attachments = [], id } = message
    return {
      from: sender,
      to: { name: '', address: to },
      // Explicit, because the envelope decides who receives the mail.
      envelope: { from: sender.address, to: [to] },
      subject,
      text,
      html,
      attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
      // Keeps out-of-office programs from replying.
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(id && { messageId: `<${id.replace(/[^A-Za-z0-9_-]/g, '')}@${senderDomain}>` }),
    }
  }
  const sendThrough = (message: MailMessage, transporter: () => Promise<Transporter>) =>
    orMailError(async () => {
      const mail = compose(message)
      await (await transporter()).sendMail(mail)
    })
  return {
    kind: 'smtp',
    send: (message) => sendThrough(message, connect.transporter),
    rehearse: (message) => sendThrough(message, connect.rehearsal),
    verify: () => orMailError(async () => (await connect.transporter()).verify()),
    close: connect.close,
  }
}
