import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, arriveAt, followMail, hear, identifier, visit, ways, withMouse } from './browser/people.ts'
import { openSite, type Site } from './browser/site.ts'
import { openChromium, openVisitor } from './browser/visitor.ts'

let site: Site
let browser: Browser

beforeAll(async () => {
  ;[site, browser] = await Promise.all([openSite(), openChromium()])
})

afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

/** A user's successive passwords. */
const passwords = ['correct horse battery', 'staple of the second kind', 'a third one, at last']

for (const [index, [name, { hand: makeHand, options = {} }]] of Object.entries(ways).entries()) {
  const ownName = ada.name
  const email = `ada${index}@example.com`
  const newEmail = `countess${index}@example.com`
  const [first = '', second = '', third = ''] = passwords

  test(`an account from its beginning to its end, with ${name}`, async () => {
    await using visitor = await openVisitor(browser, options)
    const { page } = visitor
    const hand = makeHand(page)
    const signIn = async (address: string, password: string) => {
      await arriveAt(page, 'Sign in to Tollgate')
      await hand.fill(identifier, address)
      await hand.fill('Password', password)
      await hand.press('Sign in')
      await arriveAt(page, 'Profile')
    }
    const signOut = async () => {
      await hand.press(/Account of Ada Lovelace$/)
      await hand.press('Sign out')
      await arriveAt(page, 'Sign in to Tollgate')
      await hear(page, 'status', 'You are signed out.')
    }

    // Sign up, and confirm the address.
    await visit(page, site, '/sign-up')
    await hand.fill('Name', ownName)
    await hand.fill('Email', email)
    await hand.fill('Password', first)
    await hand.press('Create account')
    await arriveAt(page, 'Profile')
    await page.getByText('Not confirmed').waitFor()
    await followMail(page, hand, site, email, 'Confirm your email address')
    await arriveAt(page, 'Address confirmed')
    await hand.press('Continue')
    await arriveAt(page, 'Profile')
    await page.getByText('Confirmed', { exact: true }).waitFor()

    // Leave and come back, and choose another password.
    await signOut()
    await signIn(email, first)
    await hand.press('Security')
    await arriveAt(page, 'Security')
    await hand.fill('Current password', first)
    await hand.fill('New password', second)
    await hand.press('Change password')
    await hear(page, 'status', 'Your password has been changed.')

    // Another device signs in, is seen, and is signed out from here.
    await using elsewhere = await openVisitor(browser, {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
    })
    await visit(elsewhere.page, site, '/sign-in')
    const otherHand = withMouse(elsewhere.page)
    await otherHand.fill(identifier, email)
    await otherHand.fill('Password', second)
    await otherHand.press('Sign in')
    await arriveAt(elsewhere.page, 'Profile')
    await hand.press('Devices')
    await arriveAt(page, 'Where you are signed in')
    await hand.press('Sign out Firefox 144 on Linux')
    await hear(page, 'status', 'The device has been signed out.')
    await page.getByText('You are signed in on this device only.').waitFor()
    await visit(elsewhere.page, site, '/account')
    await arriveAt(elsewhere.page, 'Sign in to Tollgate')
    expect(elsewhere.takeFaults()).toEqual([])

    // Another address: the old one approves, the new one confirms.
    await hand.press('Profile')
    await arriveAt(page, 'Profile')
    await hand.fill('New email address', newEmail)
    await hand.press('Change address')
    await hear(page, 'status', `Follow the link that we sent to ${email}`)
    await followMail(page, hand, site, email, 'Approve the new email address')
    await arriveAt(page, 'Address changed')
    await followMail(page, hand, site, newEmail, 'Confirm your new email address')
    await arriveAt(page, 'New address confirmed')
    await hand.press('Go to your account')
    await arriveAt(page, 'Profile')
    await page.getByText('Confirmed', { exact: true }).waitFor()

    // Forget the password.
    await signOut()
    await hand.press('Forgot password?')
    await arriveAt(page, 'Reset your password')
    await hand.fill('Email', newEmail)
    await hand.press('Send link')
    await arriveAt(page, 'Check your email')
    await followMail(page, hand, site, newEmail, 'Reset your Tollgate password')
    await arriveAt(page, 'Choose a new password')
    await hand.fill('New password', third)
    await hand.press('Save new password')
    if (options.javaScriptEnabled === false) await hear(page, 'status', 'Your password has been changed.')
    else {
      await arriveAt(page, 'Password changed')
      await hand.press('Sign in')
    }
    await signIn(newEmail, third)

    // Delete it by mail; then begin anew, and delete that by password.
    await hand.press('Security')
    await arriveAt(page, 'Security')
    await hand.press('Delete account…')
    await arriveAt(page, 'Delete your account')
    await hand.fill('Type DELETE to confirm', 'delete')
    await hand.press('Delete account')
    await arriveAt(page, 'Check your email')
    await followMail(page, hand, site, newEmail, 'Confirm the deletion')
    await arriveAt(page, 'Your account is deleted')
    await hand.press('Create a new account')
    await arriveAt(page, 'Create your Tollgate account')
    await hand.fill('Name', ownName)
    await hand.fill('Email', newEmail)
    await hand.fill('Password', first)
    await hand.press('Create account')
    await arriveAt(page, 'Profile')
    await visit(page, site, '/account/delete')
    await hand.fill('Type DELETE to confirm', 'DELETE')
    await hand.fill('Password (optional)', first)
    await hand.press('Delete account')
    await arriveAt(page, 'Your account is deleted')
    await visit(page, site, '/account')
    await arriveAt(page, 'Sign in to Tollgate')

    expect(visitor.takeFaults()).toEqual([])
  })
}
