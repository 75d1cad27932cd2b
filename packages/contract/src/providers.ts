/** The providers that the specification names (section 3), in the order that people are shown them. */
export const socialProviders = [
  'google',
  'apple',
  'github',
  'microsoft',
  'facebook',
  'discord',
  'gitlab',
  'linkedin',
  'twitter',
  'spotify',
  'twitch',
  'dropbox',
  'kick',
  'tiktok',
  'reddit',
  'roblox',
  'vk',
  'zoom',
] as const

export type SocialProvider = (typeof socialProviders)[number]

export const isSocialProvider = (id: string): id is SocialProvider =>
  (socialProviders as readonly string[]).includes(id)

/** How the id of a provider of one's own (`genericOAuth`) may look: it stands in addresses. */
export const genericProviderPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
