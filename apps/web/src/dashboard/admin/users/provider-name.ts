import { user as userWords } from '../texts.ts'

/** Names that differ from their capitalized id. */
const names: Readonly<Record<string, string>> = {
  credential: userWords.accounts.credential,
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  twitter: 'X (Twitter)',
  vk: 'VK',
}

/** A sign-in method's name; a custom provider shows its id. */
export const providerName = (id: string): string => names[id] ?? id.charAt(0).toUpperCase() + id.slice(1)
