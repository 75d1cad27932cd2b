import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from './browser/inspection.ts'
import {
  arriveAt,
  followMail,
  type Hand,
  hear,
  identifier,
  sessionOf,
  signIn,
  visit,
  ways,
  withKeyboard,
  withMouse,
} from './browser/people.ts'
import { openSite, type Person, type Site } from './browser/site.ts'
import { openChromium, openVisitor, settled, type Visitor } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const password = 'correct horse battery'
const someone = (name: string, email: string): Person => ({ name, email, password })
const subject = 'You are invited to an organization'

for (const [index, [name, { hand: makeHand, options = {} }]] of Object.entries(ways).entries()) {
  const scripted = options.javaScriptEnabled !== false
  const owner = someone('Ada Lovelace', `ada${index}@example.com`)
  const guest = someone('Grace Hopper', `grace${index}@example.com`)
  const organization = `Northwind ${index}`
  const slug = `northwind-${index}`

  test(`from founding an organization to leaving it, with ${name}`, async () => {
    await site.account(owner)
    await using ownersWindow = await openVisitor(browser, options)
    await using guestsWindow = await openVisitor(browser, options)
    const { page } = ownersWindow
    const hand = makeHand(page)

    // The owner signs in, founds it, and invites two people at once.
    await visit(page, site, '/organizations/new')
    await arriveAt(page, 'Sign in to Tollgate')
    await hand.fill(identifier, owner.email)
    await hand.fill('Password', owner.password)
    await hand.press('Sign in')
    await arriveAt(page, 'Create an organization')
    await hand.fill('Name', organization)
    // With a script it follows from the name.
    if (scripted) await page.getByText(`${slug} is available.`).waitFor()
    else await hand.fill('Short name in addresses', slug)
    await hand.press('Create organization')
    if (scripted) await arriveAt(page, `Invite people to ${organization}`)
    else {
      await arriveAt(page, organization)
      await hand.press('Invite people')
      await arriveAt(page, 'Invitations')
    }
    await hand.fill('Email addresses', `${guest.email}, alan${index}@example.com`)
    await hand.press('Send invitations')
    if (scripted) {
      await hear(page, 'status', '2 invitations are on their way.')
      await hand.press(`Continue to ${organization}`)
      await arriveAt(page, organization)
    } else await hear(page, 'status', '2 invitations have been sent.')
    expect(await sessionOf(ownersWindow, site)).toMatchObject({ organization: { slug, roles: ['owner'] } })

    // The guest, who has no account, comes by the mail, signs up with its address, and accepts.
    const guestsHand = makeHand(guestsWindow.page)
    await followMail(guestsWindow.page, guestsHand, site, guest.email, subject)
    await arriveAt(guestsWindow.page, `Join ${organization}`)
    await guestsWindow.page.getByText(`Sign in or create an account with ${guest.email}`).waitFor()
    await guestsHand.press('Create account')
    await arriveAt(guestsWindow.page, 'Create your Tollgate account')
    const address = guestsWindow.page.getByLabel('Email', { exact: true })
    expect([await address.inputValue(), await address.getAttribute('readonly')]).toEqual([guest.email, ''])
    await guestsHand.fill('Name', guest.name)
    await guestsHand.fill('Password', guest.password)
    await guestsHand.press('Create account')
    await arriveAt(guestsWindow.page, `Join ${organization}`)
    await guestsHand.press('Join')
    await arriveAt(guestsWindow.page, organization)
    expect(await sessionOf(guestsWindow, site)).toMatchObject({
      user: { email: guest.email, emailVerified: true },
      organization: { slug, roles: ['member'] },
    })

    // The owner makes them an administrator, which counts at once.
    await visit(page, site, `/org/${slug}/members`)
    await hand.press(`Actions ${guest.name}`)
    await hand.press(`Change roles ${guest.name}`)
    await hand.tick('Administrator')
    await hand.tick('Member')
    await hand.press('Save')
    await hear(page, 'status', 'The roles have been changed.')
    expect(await sessionOf(guestsWindow, site)).toMatchObject({ organization: { slug, roles: ['admin'] } })

    // They see what has come of it, and leave.
    await visit(guestsWindow.page, site, `/org/${slug}/members`)
    await guestsHand.press(`Actions ${guest.name}`)
    await guestsHand.press('Leave')
    await guestsHand.press('Leave organization')
    await arriveAt(guestsWindow.page, 'Organizations')
    await hear(guestsWindow.page, 'status', 'You have left the organization.')
    expect(await sessionOf(guestsWindow, site)).toMatchObject({ organization: null })

    expect([...ownersWindow.takeFaults(), ...guestsWindow.takeFaults()]).toEqual([])
  })
}

/** An organization whose owner has a window of their own. */
async function founded(slug: string, at: Site = site): Promise<Visitor & { readonly owner: Person }> {
  const owner = someone('Olga Owner', `olga@${slug}.example`)
  await at.organization({ name: `The ${slug}`, slug }, await at.account(owner))
  const visitor = await openVisitor(browser)
  await signIn(visitor, at, owner)
  return Object.assign(visitor, { owner })
}

/** Invites by the page; gives the address that the mail leads to. */
async function invited(visitor: Visitor, slug: string, email: string, at: Site = site): Promise<string> {
  const { page } = visitor
  await visit(page, at, `/org/${slug}/invitations`)
  await withMouse(page).fill('Email addresses', email)
  await withMouse(page).press('Send invitations')
  await hear(page, 'status', '1 invitation has been sent.')
  return (await at.mailTo(email, subject)).links[0] ?? ''
}

/** Goes to an address that begins with the site's own. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await settled(page)
}

test('an invitation for another address waits while the visitor changes the account', async () => {
  await using owners = await founded('other-account')
  const link = await invited(owners, 'other-account', 'ellen@example.com')
  const mallory = someone('Mallory', 'mallory@example.com')
  await site.account(mallory)
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withKeyboard(page)
  await signIn(visitor, site, mallory)

  await open(page, link)
  await arriveAt(page, 'This invitation is for another address')
  await page.getByText('It was sent to ellen@example.com, and you are signed in as mallory@example.com.').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await hand.press('Use another account')
  await arriveAt(page, 'Join The other-account')
  await hand.press('Create account')
  await arriveAt(page, 'Create your Tollgate account')
  await hand.fill('Name', 'Ellen')
  await hand.fill('Password', password)
  await hand.press('Create account')
  await arriveAt(page, 'Join The other-account')
  await hand.press('Join')
  await arriveAt(page, 'The other-account')

  // Once it is answered, the link leads to where it has led.
  await open(page, link)
  await arriveAt(page, 'You are already a member of The other-account')
  await hand.press('Open The other-account')
  await arriveAt(page, 'The other-account')
  expect([...visitor.takeFaults(), ...owners.takeFaults()]).toEqual([])
})

test('an invitation that was resent, canceled or declined shows it to the holder of its mail', async () => {
  await using owners = await founded('taken-back')
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  const hand = withMouse(page)
  const ellen = someone('Ellen', 'ellen@taken-back.example')
  await site.account(ellen)
  await signIn(visitor, site, ellen)
  const first = await invited(owners, 'taken-back', ellen.email)

  // Only the newest mail counts; the owner's list shows it.
  await withMouse(owners.page).press(`Actions ${ellen.email}`)
  await withMouse(owners.page).press(`Send again ${ellen.email}`)
  await hear(owners.page, 'status', 'Only the newest mail counts.')
  await expect.poll(async () => (await site.mailTo(ellen.email, subject)).links[0]).not.toBe(first)
  await open(page, first)
  await arriveAt(page, 'Confirm your email address first')
  const second = (await site.mailTo(ellen.email, subject)).links[0] ?? ''
  await open(page, second)
  await arriveAt(page, 'Join The taken-back')

  // Canceled while the invitee looks at it.
  await withMouse(owners.page).press(`Cancel invitation ${ellen.email}`)
  const question = owners.page.getByRole('dialog', { name: `Cancel the invitation of ${ellen.email}?` })
  await question.getByRole('button', { name: `Cancel invitation ${ellen.email}` }).click()
  await hear(owners.page, 'status', 'The invitation has been canceled.')
  await hand.press('Join')
  await hear(page, 'alert', 'This invitation has expired, was canceled or was already answered.')
  await open(page, second)
  await arriveAt(page, 'This invitation was canceled')
  await page.getByText('ask Olga Owner for a new one').waitFor()
  await open(page, second.replace(/proof=.*/, 'proof=guessed'))
  await arriveAt(page, 'This invitation is no longer valid')

  // Declined.
  await open(page, await invited(owners, 'taken-back', ellen.email))
  await arriveAt(page, 'Join The taken-back')
  await hand.press('Decline')
  await arriveAt(page, 'Invitation declined')
  await visit(owners.page, site, '/org/taken-back/invitations?status=rejected')
  await owners.page.getByText(ellen.email).waitFor()
  // The browser itself reports that a call was refused.
  expect(visitor.takeFaults().filter((fault) => !fault.includes('status of 4'))).toEqual([])
})

test('an invitation ends after two days, and can be sent again', async () => {
  await using own = await openSite()
  await using owners = await founded('late', own)
  const link = await invited(owners, 'late', 'grace@example.com', own)
  await own.advance('P2DT1M')

  await using visitor = await openVisitor(browser)
  await open(visitor.page, link)
  await arriveAt(visitor.page, 'This invitation has expired')
  await visitor.page.getByText('Olga Owner can send you a new one to The late.').waitFor()
  await visit(owners.page, own, '/org/late/invitations')
  await owners.page.getByText('Expired', { exact: true }).waitFor()
  await withMouse(owners.page).press('Actions grace@example.com')
  await withMouse(owners.page).press('Send again grace@example.com')
  await hear(owners.page, 'status', 'The invitation has been sent again.')
  await expect.poll(async () => (await own.mailTo('grace@example.com', subject)).links[0]).not.toBe(link)
  await open(visitor.page, (await own.mailTo('grace@example.com', subject)).links[0] ?? '')
  await arriveAt(visitor.page, 'Join The late')
})

test('a copied link of an invitation wants the address proved, and then is accepted', async () => {
  await using owners = await founded('copied')
  const ellen = someone('Ellen', 'ellen@copied.example')
  await site.account(ellen)
  await invited(owners, 'copied', ellen.email)
  await owners.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await withMouse(owners.page).press(`Actions ${ellen.email}`)
  await withMouse(owners.page).press('Copy link')
  await owners.page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  const copied = await owners.page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/\/accept-invitation\/[^/?]+$/)

  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await signIn(visitor, site, ellen)
  await open(page, copied)
  await arriveAt(page, 'Confirm your email address first')
  expect(await axeFaults(page)).toEqual([])
  const newest = async () => (await site.mailTo(ellen.email, 'Confirm your email address')).links[0] ?? ''
  const ofSignUp = await newest()
  await withMouse(page).press('Send confirmation mail')
  await hear(page, 'status', `We sent a link to ${ellen.email}.`)
  await expect.poll(newest).not.toBe(ofSignUp)
  await open(page, await newest())
  await arriveAt(page, 'Join The copied')
  await withMouse(page).press('Join')
  await arriveAt(page, 'The copied')
  expect([...visitor.takeFaults(), ...owners.takeFaults()]).toEqual([])
})

/** Makes a link by the page, with what is filled in, and copies it. */
async function sharedLink(visitor: Visitor, slug: string, fill: (hand: Hand) => Promise<void>): Promise<string> {
  const { page, context } = visitor
  const hand = withMouse(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, site, `/org/${slug}/invitations`)
  await hand.press('Create a link')
  await fill(hand)
  await hand.press('Create link')
  await hear(page, 'status', 'The link is ready to be shared.')
  await hand.press('Copy link')
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

test('a shared link admits as many users as it allows, and none after it is revoked', async () => {
  await using owners = await founded('shared')
  const link = await sharedLink(owners, 'shared', (hand) => hand.fill('Maximum uses (empty for unlimited)', '1'))
  await using first = await openVisitor(browser)
  await using second = await openVisitor(browser)

  // A visitor without an account signs up on the way.
  const hand = withKeyboard(first.page)
  await open(first.page, link)
  await arriveAt(first.page, 'Join The shared')
  await hand.press('Create account')
  await arriveAt(first.page, 'Create your Tollgate account')
  await hand.fill('Name', 'First')
  await hand.fill('Email', 'first@shared.example')
  await hand.fill('Password', password)
  await hand.press('Create account')
  await arriveAt(first.page, 'Confirm your email address first')
  await open(first.page, (await site.mailTo('first@shared.example', 'Confirm your email address')).links[0] ?? '')
  await arriveAt(first.page, 'Join The shared')
  await hand.press('Join')
  await arriveAt(first.page, 'The shared')
  expect(await sessionOf(first, site)).toMatchObject({ organization: { slug: 'shared', roles: ['member'] } })

  await open(second.page, link)
  await arriveAt(second.page, 'This link no longer works')
  expect(await axeFaults(second.page)).toEqual([])

  const other = await sharedLink(owners, 'shared', async () => {})
  await open(second.page, other)
  await arriveAt(second.page, 'Join The shared')
  await withMouse(owners.page).press('Revoke link')
  await hear(owners.page, 'status', 'The link no longer works.')
  await open(second.page, other)
  await arriveAt(second.page, 'This link no longer works')
  expect([...owners.takeFaults(), ...first.takeFaults(), ...second.takeFaults()]).toEqual([])
})

test('a link that wants approval asks, and the answer decides', async () => {
  await using owners = await founded('asked')
  // Who has not proved an address is sent none of these mails.
  await site.confirm(owners.owner.email)
  const link = await sharedLink(owners, 'asked', (hand) => hand.tick('Require approval'))
  const ellen = someone('Ellen', 'ellen@asked.example')
  await site.account(ellen)
  await site.confirm(ellen.email)
  await using visitor = await openVisitor(browser)
  const { page } = visitor
  await signIn(visitor, site, ellen)

  await open(page, link)
  await arriveAt(page, 'Ask to join The asked')
  await withKeyboard(page).press('Ask to join')
  await arriveAt(page, 'Your request is sent')
  expect(await sessionOf(visitor, site)).toMatchObject({ organization: null })
  await site.mailTo(owners.owner.email, 'Request to join')

  await visit(owners.page, site, '/org/asked/invitations')
  await withKeyboard(owners.page).press('Approve Ellen')
  await hear(owners.page, 'status', 'The request has been approved.')
  await site.mailTo(ellen.email)
  await visit(page, site, '/org/asked')
  await arriveAt(page, 'The asked')
  expect([...owners.takeFaults(), ...visitor.takeFaults()]).toEqual([])
})
