import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { createTestServer, type Person, type TestServer } from '../../testing.ts'
import { context } from './testing/joining.ts'
import { created } from './testing/organizations.ts'

/**
 * F-history: several users change an organization concurrently, over and over. The answers must fit some serial order:
 * successes lead to the final state, and each refusal had its reason at its place in that order.
 */

const isSoak = process.env.SOAK === '1'
const runs = (usual: number): number => (isSoak ? 20_000 : usual)
const timeout = isSoak ? 24 * 3_600_000 : 600_000

const everybody = ['ada', 'bob', 'cleo', 'dan'] as const
type Name = (typeof everybody)[number]
type Role = 'owner' | 'admin' | 'member'

/**
 * The model: the members with their roles, and the invitations with theirs. Ids are from before the round, or missing.
 */
type State = {
  readonly members: ReadonlyMap<Name, { readonly id: string | undefined; readonly role: Role }>
  readonly invitations: ReadonlyMap<Name, { readonly id: string | undefined; readonly role: Role; readonly by: Name }>
}

type Kind = 'invite' | 'accept' | 'reject' | 'cancel' | 'setRole' | 'remove' | 'leave' | 'transfer'
type Plan = { readonly kind: Kind; readonly by: Name; readonly target: Name; readonly role: Role }
/** An operation with the membership or invitation id known at its start. */
type Operation = Plan & { readonly memberId: string; readonly invitationId: string }

const nobody = 'nobody'

const isOwner = (state: State, name: Name) => state.members.get(name)?.role === 'owner'
const mayManage = (state: State, name: Name) => isOwner(state, name) || state.members.get(name)?.role === 'admin'
const mayGive = (state: State, name: Name, role: Role) =>
  mayManage(state, name) && (role !== 'owner' || isOwner(state, name))
const isOnlyOwner = (state: State, name: Name) =>
  isOwner(state, name) && [...state.members.values()].filter(({ role }) => role === 'owner').length === 1

/** Every reason to refuse an operation (specification, sections 5, 6 and 8); empty if it succeeds. */
function reasons(state: State, operation: Operation): string[] {
  const { kind, by, role, memberId, invitationId } = operation
  const found: (string | false)[] = []
  const isMember = state.members.has(by)
  const target = nameOf(state, operation)
  const invitation = [...state.invitations].find(([, { id }]) => id === invitationId)
  switch (kind) {
    case 'invite':
      found.push(
        !isMember && 'MEMBER_NOT_FOUND',
        !mayManage(state, by) && 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION',
        !mayGive(state, by, role) && 'YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE',
        state.members.has(operation.target) && 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
        state.invitations.has(operation.target) && 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION',
      )
      break
    case 'accept': {
      const [invited, offer] = invitation ?? []
      found.push(
        !invited && 'INVITATION_NOT_FOUND',
        invited !== undefined && invited !== by && 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
        offer !== undefined &&
          !mayGive(state, offer.by, offer.role) &&
          'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION',
        isMember && 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION',
      )
      break
    }
    case 'reject':
      found.push(
        !invitation && 'INVITATION_NOT_FOUND',
        invitation !== undefined && invitation[0] !== by && 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION',
      )
      break
    case 'cancel':
      found.push(
        (!invitation || !isMember) && 'INVITATION_NOT_FOUND',
        // For callers who were members when they asked.
        !isMember && 'MEMBER_NOT_FOUND',
        !mayManage(state, by) && 'YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION',
      )
      break
    case 'setRole': {
      const isAbove = target !== undefined && isOwner(state, target) && !isOwner(state, by)
      found.push(
        (!isMember || !target) && 'MEMBER_NOT_FOUND',
        (!mayGive(state, by, role) || isAbove) && 'YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER',
        target !== undefined && role !== 'owner' && isOnlyOwner(state, target) && onlyOwner,
      )
      break
    }
    case 'remove':
      found.push(
        (!isMember || !target) && 'MEMBER_NOT_FOUND',
        !mayManage(state, by) && 'YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER',
        target !== undefined &&
          isOwner(state, target) &&
          (!isOwner(state, by) || isOnlyOwner(state, target)) &&
          onlyOwner,
      )
      break
    case 'leave':
      found.push(!isMember && 'MEMBER_NOT_FOUND', isOnlyOwner(state, by) && onlyOwner)
      break
    case 'transfer':
      found.push(
        !isOwner(state, by) && 'YOU_ARE_NOT_ALLOWED_TO_TRANSFER_THIS_ORGANIZATION',
        memberId === state.members.get(by)?.id && 'YOU_ARE_NOT_ALLOWED_TO_TRANSFER_THIS_ORGANIZATION',
        !target && 'MEMBER_NOT_FOUND',
      )
  }
  return found.filter((reason) => reason !== false)
}

const onlyOwner = 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'

const nameOf = (state: State, { memberId }: Operation): Name | undefined =>
  [...state.members].find(([, { id }]) => id === memberId)?.[0]

/** The state after an operation that succeeds. */
function after(state: State, operation: Operation): State {
  const { kind, by, target, role, invitationId } = operation
  const members = new Map(state.members)
  const invitations = new Map(state.invitations)
  const named = nameOf(state, operation)
  const [invited, offer] = [...invitations].find(([, { id }]) => id === invitationId) ?? []
  const become = (name: Name, next: Role) => members.set(name, { id: members.get(name)?.id, role: next })
  if (kind === 'invite') invitations.set(target, { id: undefined, role, by })
  if (invited && (kind === 'accept' || kind === 'reject' || kind === 'cancel')) invitations.delete(invited)
  if (kind === 'accept' && offer) become(by, offer.role)
  if (kind === 'setRole' && named) become(named, role)
  if (kind === 'remove' && named) members.delete(named)
  if (kind === 'leave') members.delete(by)
  if (kind === 'transfer' && named) {
    become(named, 'owner')
    become(by, 'admin')
  }
  return { members, invitations }
}

/** The comparable part: without ids, which the model cannot predict. */
const shown = ({ members, invitations }: State): string =>
  JSON.stringify([
    [...members].map(([name, { role }]) => [name, role]).sort(),
    [...invitations].map(([name, { role, by }]) => [name, role, by]).sort(),
  ])

type Answered = { readonly operation: Operation; readonly told: string }

/** Whether some serial order explains all answers and the final state. */
function isExplained(before: State, answers: readonly Answered[], found: State): boolean {
  const refused = answers.filter(({ told }) => told !== 'ok')
  const search = (state: State, visited: readonly State[], left: readonly Answered[]): boolean => {
    if (left.length === 0)
      return (
        shown(state) === shown(found) &&
        refused.every(({ operation, told }) => visited.some((each) => reasons(each, operation).includes(told)))
      )
    return left.some((answer) => {
      if (reasons(state, answer.operation).length > 0) return false
      const next = after(state, answer.operation)
      return search(
        next,
        [...visited, next],
        left.filter((each) => each !== answer),
      )
    })
  }
  return search(
    before,
    [before],
    answers.filter(({ told }) => told === 'ok'),
  )
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(
    'invite',
    'accept',
    'accept',
    'reject',
    'cancel',
    'setRole',
    'setRole',
    'remove',
    'leave',
    'transfer',
  ),
  by: fc.constantFrom(...everybody),
  target: fc.constantFrom(...everybody),
  role: fc.constantFrom('owner', 'admin', 'member'),
})
/** Ada is the owner; each of the others is a member or invited. */
const beginning = fc.constantFrom<Role | 'invited'>('owner', 'admin', 'member', 'invited', 'invited')
const history = fc.record({
  start: fc.tuple(beginning, beginning, beginning),
  rounds: fc.array(fc.array(plan, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 8, size: 'max' }),
})

const paths: Record<Kind, string> = {
  invite: 'invite-member',
  accept: 'accept-invitation',
  reject: 'reject-invitation',
  cancel: 'cancel-invitation',
  setRole: 'update-member-role',
  remove: 'remove-member',
  leave: 'leave',
  transfer: 'transfer-ownership',
}

test('F-history: every concurrent history equals a serial one', { timeout }, async () => {
  await using server = await createTestServer()
  const people = {
    ada: await server.signedUp('Ada'),
    bob: await server.signedUp('Bob'),
    cleo: await server.signedUp('Cleo'),
    dan: await server.signedUp('Dan'),
  }
  await context(server).transaction((tx) => tx.updateTable('user').set({ emailVerified: true }).execute())
  const counts: Record<string, number> = {}
  let made = 0

  await fc.assert(
    fc.asyncProperty(history, async ({ start, rounds }) => {
      made += 1
      const { id: organizationId } = await created(people.ada, `history-${made}`)
      for (const [index, role] of start.entries()) {
        const { id: userId, email } = people[everybody[index + 1]!]
        if (role === 'invited') await people.ada.post('/organization/invite-member', { email, role: 'admin' })
        else await server.tollgate.api.addMember({ body: { organizationId, userId, role } })
      }

      for (const plans of rounds) {
        const before = await stateOf(server, people, organizationId)
        const operations = plans.map(
          (each): Operation => ({
            ...each,
            memberId: before.members.get(each.target)?.id ?? nobody,
            // Users mostly answer their own invitations, but cancel any.
            invitationId: before.invitations.get(each.kind === 'cancel' ? each.target : each.by)?.id ?? nobody,
          }),
        )

        const answers = await Promise.all(
          operations.map(async (operation): Promise<Answered> => {
            const { kind, by, target, role, memberId, invitationId } = operation
            const { status, body } = await people[by].post(`/organization/${paths[kind]}`, {
              organizationId,
              memberId,
              memberIdOrEmail: memberId,
              invitationId,
              role,
              email: people[target].email,
            })
            return { operation, told: status === 200 ? 'ok' : body.code }
          }),
        )

        const found = await stateOf(server, people, organizationId)
        const told = answers.map(({ operation, told }) => ({ ...operation, told }))
        expect({ told, explained: isExplained(before, answers, found) }, `${shown(before)} → ${shown(found)}`).toEqual({
          told,
          explained: true,
        })
        expect([...found.members.values()].some(({ role }) => role === 'owner')).toBe(true)
        for (const { operation, told } of answers)
          if (told === 'ok') counts[operation.kind] = (counts[operation.kind] ?? 0) + 1
      }
    }),
    { numRuns: runs(inject('database') === 'postgres' ? 40 : 120), endOnFailure: true },
  )
  // Otherwise a server that refuses everything would pass.
  expect(Object.keys(counts).sort()).toEqual(Object.keys(paths).sort())
})

async function stateOf(
  server: TestServer,
  people: Readonly<Record<Name, Person>>,
  organizationId: string,
): Promise<State> {
  const { db } = context(server)
  const members = await db
    .selectFrom('member')
    .select(['id', 'userId', 'role'])
    .where('organizationId', '=', organizationId)
    .execute()
  const invitations = await db
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'inviterId'])
    .where('organizationId', '=', organizationId)
    .where('status', '=', 'pending')
    .execute()
  const named = (is: (person: Person) => boolean) => everybody.find((name) => is(people[name]))!
  return {
    members: new Map(
      members.map(({ id, userId, role }) => [named((person) => person.id === userId), { id, role: role as Role }]),
    ),
    invitations: new Map(
      invitations.map(({ id, email, role, inviterId }) => [
        named((person) => person.email === email),
        { id, role: role as Role, by: named((person) => person.id === inviterId) },
      ]),
    ),
  }
}
