/** The specification's providers (section 3), in display order. */
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

/** The format of a custom provider's id (`genericOAuth`), which is part of addresses. */
export const genericProviderPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/
