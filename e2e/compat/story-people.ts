import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type ServerProcess, until } from '../faults/server-process.ts'
import type { Person, Version } from './clients.ts'

export const password = 'correct horse battery'
export const cookieName = 'better-auth.session_token'

/** The servers of a story, once they have started. */
export type StoryServers = {
  /** As it comes. */
  readonly usual: ServerProcess
  /** Verification before sign-in, cookie cache, deletion without mails. */
  readonly strict: ServerProcess
}

type Mail = { readonly subject: string; readonly links: readonly string[] }

/** What must stay between the server and one person. */
export const secrets = new Set([password, 'another long one', 'the newest password'])

export async function signedUp(version: Version, server: ServerProcess): Promise<Person> {
  const person = version.person(server.baseURL)
  const { error } = await person.client.signUp.email({ name: 'Ada', email: newAddress(), password })
  expect(error).toBeNull()
  for (const { value } of person.cookies.values()) secrets.add(value)
  return person
}

/** Signed up where the address must be verified first; the link signs in. */
export async function signedUpStrictly(version: Version, server: ServerProcess): Promise<Person> {
  const person = version.person(server.baseURL)
  const email = newAddress()
  await person.client.signUp.email({ name: 'Ada', email, password })
  await person.visit(await linkTo(server, email, 1))
  expect((await person.client.getSession()).data.user.email).toBe(email)
  return person
}

export const newUsername = (): string => `ada_${randomUUID().slice(0, 8)}`

export const newAddress = (): string => `ada.${randomUUID().slice(0, 8)}@example.com`

/** Waits until so many mails have come; the newest is the first. */
export async function mailsTo(server: ServerProcess, email: string, count: number): Promise<Mail[]> {
  let mails: Mail[] = []
  await until(`${count} mails to ${email}`, 10_000, async () => {
    const response = await fetch(`${server.baseURL}/dev/inbox/messages?to=${encodeURIComponent(email)}`)
    mails = (await response.json()) as Mail[]
    return mails.length >= count
  })
  expect(mails).toHaveLength(count)
  return mails
}

export async function linkTo(server: ServerProcess, email: string, count: number): Promise<string> {
  const [newest] = await mailsTo(server, email, count)
  const link = newest!.links[0]!
  const token = new URL(link).searchParams.get('token') ?? /\/reset-password\/(\w+)/.exec(link)?.[1]
  if (token) secrets.add(token)
  return link
}
