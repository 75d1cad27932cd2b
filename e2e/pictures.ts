// Takes the pictures of the README from a server of its own: `node e2e/pictures.ts`.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildWebIfChanged } from '../scripts/build-web.mjs'
import { arriveAt, identifier, visit, withMouse } from './browser/people.ts'
import { openSite } from './browser/site.ts'
import { openChromium, openVisitor } from './browser/visitor.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))

await buildWebIfChanged()
mkdirSync(folder, { recursive: true })
await using site = await openSite({ appName: 'Northwind' })
const browser = await openChromium()
try {
  await using visitor = await openVisitor(browser, { viewport: { width: 1280, height: 760 }, colorScheme: 'light' })
  const { page } = visitor
  const hand = withMouse(page)
  const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse battery' }
  const owner = await site.account(ada)
  const others = { 'Grace Hopper': 'admin', 'Alan Turing': 'member', 'Katherine Johnson': 'member' }
  const members: Record<string, string> = {}
  for (const [name, role] of Object.entries(others)) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`
    members[await site.account({ name, email, password: ada.password })] = role
  }
  await site.organization({ name: 'Analytical Engines', slug: 'engines' }, owner, members)

  await visit(page, site, '/sign-in')
  await hand.fill(identifier, ada.email)
  await hand.fill('Password', ada.password)
  await page.screenshot({ path: `${folder}sign-in.png` })

  await page.goto((await site.mailTo(ada.email)).links[0] ?? '')
  await visit(page, site, '/sign-in')
  await hand.fill(identifier, ada.email)
  await hand.fill('Password', ada.password)
  await hand.press('Sign in')
  await arriveAt(page, 'Profile')
  await page.screenshot({ path: `${folder}account.png` })

  await visit(page, site, '/org/engines/members')
  await page.screenshot({ path: `${folder}members.png` })
} finally {
  await browser.close()
}
console.log(`Written to ${folder}: sign-in.png, account.png, members.png`)
