import { userWords } from './users.texts.ts'

/** Names that are not just their id with a capital. */
const names: Readonly<Record<string, string>> = {
  credential: userWords.accounts.credential,
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  twitter: 'X (Twitter)',
  vk: 'VK',
}

/** How a way to sign in is called; one of the server's own by its id. */
export const providerName = (id: string): string => names[id] ?? id.charAt(0).toUpperCase() + id.slice(1)
