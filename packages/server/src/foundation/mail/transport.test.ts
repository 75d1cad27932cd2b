import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { createMailTransport, MailError, type MailTransportOptions } from './transport.ts'

const from = 'Тариф <no-reply@tollgate.example>'
const message = {
  to: 'ada@example.com',
  subject: 'Подтвердите адрес электронной почты для Ёлки и щётки',
  html: '<p>Здравствуйте, <a href="https://tollgate.example/verify-email?token=abc&amp;x=1">сюда</a></p>',
  text: 'Здравствуйте!\n\nhttps://tollgate.example/verify-email?token=abc&x=1\n',
}

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

const startSmtp = async (options: SMTPServerOptions = {}) => {
  const received: { raw: string; recipients: string[]; sender: string }[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          raw: Buffer.concat(chunks).toString('utf8'),
          recipients: rcptTo.map(({ address }) => address),
          sender: mailFrom ? mailFrom.address : '',
        })
        done()
      })
    },
    ...options,
  })
  // A client that gives up closes its socket, which some of these tests check.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const transportTo = (smtpUrl: string, options: Partial<MailTransportOptions> = {}) => {
  const transport = createMailTransport({ smtpUrl, from, ...options })
  return Object.assign(transport, { [Symbol.dispose]: () => transport.close() })
}

const failureOf = async (sending: Promise<void>): Promise<MailError> => {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof MailError)) throw new Error('Expected a MailError', { cause: error })
  return error
}

test('a mail arrives with its subject, sender, recipient and both parts, in Cyrillic too', async () => {
  await using smtp = await startSmtp()
  using transport = transportTo(smtp.url)

  await transport.send({ ...message, id: 'mail_01J/../x' })

  const [mail] = smtp.received
  const parsed = await PostalMime.parse(mail?.raw ?? '')
  expect(transport.kind).toBe('smtp')
  expect(mail).toMatchObject({ recipients: ['ada@example.com'], sender: 'no-reply@tollgate.example' })
  expect(parsed.subject).toBe(message.subject)
  expect(parsed.from).toEqual({ name: 'Тариф', address: 'no-reply@tollgate.example' })
  expect(parsed.to).toEqual([{ name: '', address: 'ada@example.com' }])
  expect(parsed.text?.trim()).toBe(message.text.trim())
  expect(parsed.html?.trim()).toBe(message.html)
  expect(parsed.messageId).toBe('<mail_01Jx@tollgate.example>')
  expect(mail?.raw).toContain('Auto-Submitted: auto-generated')
})

test('a rehearsed mail is prepared and refused like any other, and never sent', async () => {
  await using smtp = await startSmtp()
  using transport = transportTo(smtp.url)

  await transport.rehearse({ ...message, id: 'mail' })

  expect((await failureOf(transport.rehearse({ ...message, to: 'two@a.example,three@b.example' }))).permanent).toBe(
    true,
  )
  expect([smtp.connections(), smtp.received]).toEqual([0, []])
})

test('several mails share a connection, and a connection that idled out is replaced', async () => {
  const closed = Promise.withResolvers<void>()
  await using smtp = await startSmtp({ onClose: () => closed.resolve() })
  using transport = transportTo(smtp.url, { timeoutMilliseconds: 600 })

  await transport.send(message)
  await transport.send(message)
  const shared = smtp.connections()
  await closed.promise
  await transport.send(message)

  expect(shared).toBe(1)
  expect(smtp.connections()).toBe(2)
  expect(smtp.received).toHaveLength(3)
})

test.each([
  ['two addresses', 'ada@example.com,eve@attacker.example'],
  ['two addresses with a blank', 'ada@example.com eve@attacker.example'],
  ['a quoted local part', '"eve@attacker.example"@example.com'],
  ['a name with an address', 'Ada <eve@attacker.example>'],
  ['a group', 'friends:eve@attacker.example;'],
  ['a comment', 'ada@example.com(eve@attacker.example)'],
  ['a second header', 'ada@example.com\r\nBcc: eve@attacker.example'],
  ['a direction character', 'ada\u202e@example.com'],
  ['no domain', 'ada'],
  ['a source route', '@attacker.example:ada@example.com'],
  ['an address that cannot exist', '12@reddit.invalid'],
  ['too many characters', `${'a'.repeat(60)}@${'b'.repeat(200)}.example`],
])('a recipient that is %s is refused for good, and nothing is sent', async (_, to) => {
  await using smtp = await startSmtp()
  using transport = transportTo(smtp.url)

  const error = await failureOf(transport.send({ ...message, to }))

  expect(error.permanent).toBe(true)
  expect(error.message).not.toContain('attacker')
  expect(smtp.connections()).toBe(0)
})

test.each(['Hello\r\nBcc: eve@attacker.example', 'Hello\u0000', 'Hello\u2028there'])(
  'a subject with control characters is refused (%j)',
  async (subject) => {
    await using smtp = await startSmtp()
    using transport = transportTo(smtp.url)

    const error = await failureOf(transport.send({ ...message, subject }))

    expect(error.permanent).toBe(true)
    expect(smtp.connections()).toBe(0)
  },
)

test.each([
  [550, 'No such mailbox', true],
  [451, 'Try again later', false],
])('a recipient refused with %i (%s) is permanent: %s', async (code, text, permanent) => {
  await using smtp = await startSmtp({ onRcptTo: (_address, _session, done) => done(refusal(code, text)) })
  using transport = transportTo(smtp.url)

  const error = await failureOf(transport.send(message))

  expect(error.permanent).toBe(permanent)
  expect(error.message).toContain(text)
})

test.each([
  [554, 'Looks like spam', true],
  [452, 'Disk full', false],
])('a content refused with %i (%s) is permanent: %s', async (code, text, permanent) => {
  await using smtp = await startSmtp({
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => done(refusal(code, text)))
    },
  })
  using transport = transportTo(smtp.url)

  const error = await failureOf(transport.send(message))

  expect(error.permanent).toBe(permanent)
})

test('a server that turns every client away at the door is a passing fault', async () => {
  await using smtp = await startSmtp({ onConnect: (_session, done) => done(refusal(554, 'No service')) })
  using transport = transportTo(smtp.url)

  expect((await failureOf(transport.send(message))).permanent).toBe(false)
})

test('a wrong password is mended by the operator, so the mail is kept', async () => {
  await using smtp = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(refusal(535, 'Wrong password')),
  })
  using transport = transportTo(smtp.url.replace('//', '//user:p%40ss@'))

  const error = await failureOf(transport.send(message))

  expect(error.permanent).toBe(false)
  expect(error.message).not.toContain('p@ss')
  expect((await failureOf(transport.verify())).permanent).toBe(false)
})

test('a user name and a password from the address sign in', async () => {
  const seen: unknown[] = []
  await using smtp = await startSmtp({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      seen.push({ username, password })
      done(null, { user: username })
    },
  })
  using transport = transportTo(smtp.url.replace('//', '//ada%2Fx:p%40ss@'))

  await transport.verify()
  await transport.send(message)

  expect(seen[0]).toEqual({ username: 'ada/x', password: 'p@ss' })
  expect(smtp.received).toHaveLength(1)
})

test('a closed port is a passing fault', async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  using transport = transportTo(`smtp://127.0.0.1:${port}`)

  expect((await failureOf(transport.send(message))).permanent).toBe(false)
  expect((await failureOf(transport.verify())).permanent).toBe(false)
})

const startTalker = async (answer: (line: string) => string | undefined) => {
  const sockets: Socket[] = []
  const heard: string[] = []
  const server = createServer((socket) => {
    const say = (line: string) => {
      const reply = answer(line)
      if (reply) socket.write(`${reply}\r\n`)
    }
    sockets.push(socket.on('error', () => {}))
    say('')
    socket.on('data', (chunk) => {
      const line = chunk.toString().trim()
      heard.push(line)
      say(line)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('F-smtp: a server that never speaks is given up after the time-out', async () => {
  await using silent = await startTalker(() => undefined)
  using transport = transportTo(silent.url, { timeoutMilliseconds: 40 })

  const error = await failureOf(transport.send(message))

  expect(error.permanent).toBe(false)
  expect(error.message).toContain('ETIMEDOUT')
})

test('F-smtp: a server that stops answering in the middle is given up after the time-out', async () => {
  await using slow = await startTalker((line) =>
    line === '' ? '220 hi' : line.startsWith('RCPT') ? undefined : '250 ok',
  )
  using transport = transportTo(slow.url, { timeoutMilliseconds: 150 })

  const error = await failureOf(transport.send(message))

  expect(error.permanent).toBe(false)
  expect(slow.heard.at(-1)).toBe('RCPT TO:<ada@example.com>')
})

test('a configured function receives the mail instead of the server', async () => {
  const sent: unknown[] = []
  const transport = createMailTransport({
    smtpUrl: 'smtp://127.0.0.1:1',
    from,
    sendEmail: (mail) => void sent.push(mail),
  })

  await transport.verify()
  await transport.send(message)
  transport.close()

  expect(transport.kind).toBe('function')
  expect(sent).toEqual([{ ...message, from }])
})

test('a configured function is protected like the server, and reports permanent failures itself', async () => {
  const failing = (error: Error) =>
    createMailTransport({
      from,
      sendEmail: async () => {
        throw error
      },
    })
  const permanent = new MailError('Bounced before', { permanent: true })

  expect((await failureOf(failing(new Error('503')).send(message))).permanent).toBe(false)
  expect(await failureOf(failing(permanent).send(message))).toBe(permanent)
  expect((await failureOf(failing(new Error('not reached')).send({ ...message, to: 'a@b,c@d' }))).message).toContain(
    'exactly one mailbox',
  )
})

test('without a mail server mails wait', async () => {
  const transport = createMailTransport({ from })

  expect(transport.kind).toBe('none')
  expect((await failureOf(transport.send(message))).permanent).toBe(false)
  expect((await failureOf(transport.verify())).message).toContain('SMTP_URL')
})

test.each(['http://mail.example', 'mail.example:25', 'smtp://'])(
  'the mail address %s is refused at start',
  (smtpUrl) => {
    expect(() => createMailTransport({ smtpUrl, from })).toThrow('SMTP_URL')
  },
)

test.each(['', 'Ada', 'a@b.example, c@d.example', 'Ada\r\nBcc: x@y.example <a@b.example>'])(
  'the sender %j is refused at start',
  (sender) => {
    expect(() => createMailTransport({ from: sender })).toThrow('EMAIL_FROM')
  },
)

test('a password is not sent to a distant server that offers no TLS', async () => {
  await using smtp = await startSmtp({ authOptional: false, allowInsecureAuth: true })
  // Every address of this name is the machine itself, but its spelling does not show it.
  const distant = smtp.url.replace('//127.0.0.1', '//ada:secret@[::ffff:127.0.0.1]')
  using transport = transportTo(distant)

  const error = await failureOf(transport.send(message))

  expect(error.permanent).toBe(false)
  expect(error.message).toMatch(/TLS/)
})

test('an attachment arrives unchanged, under its name', async () => {
  await using smtp = await startSmtp()
  const transport = transportTo(smtp.url)
  const content = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256))

  await transport.send({ ...message, attachments: [{ name: 'ACME-000123.pdf', type: 'application/pdf', content }] })
  transport.close()

  const { attachments, text } = await PostalMime.parse(smtp.received[0]!.raw)
  expect(text?.trim()).toBe(message.text.trim())
  expect(attachments).toHaveLength(1)
  expect(attachments[0]).toMatchObject({ filename: 'ACME-000123.pdf', mimeType: 'application/pdf' })
  expect(Buffer.from(attachments[0]!.content as ArrayBuffer)).toEqual(content)
})
