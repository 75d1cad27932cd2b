import type { SocialProvider } from '@tollgate/contract/calls'
import type { ProviderRow } from './protocol/provider.ts'
import { apple } from './providers/apple.ts'
import { discord } from './providers/discord.ts'
import { dropbox } from './providers/dropbox.ts'
import { facebook } from './providers/facebook.ts'
import { github } from './providers/github.ts'
import { gitlab } from './providers/gitlab.ts'
import { google } from './providers/google.ts'
import { kick } from './providers/kick.ts'
import { linkedin } from './providers/linkedin.ts'
import { microsoft } from './providers/microsoft.ts'
import { reddit } from './providers/reddit.ts'
import { roblox } from './providers/roblox.ts'
import { spotify } from './providers/spotify.ts'
import { tiktok } from './providers/tiktok.ts'
import { twitch } from './providers/twitch.ts'
import { twitter } from './providers/twitter.ts'
import { vk } from './providers/vk.ts'
import { zoom } from './providers/zoom.ts'

/**
 * The providers of the specification (section 3). To add one: a file in `providers`, a name in the contract, a line
 * here.
 */
export const providerRows: Readonly<Record<SocialProvider, ProviderRow>> = {
  apple,
  discord,
  dropbox,
  facebook,
  github,
  gitlab,
  google,
  kick,
  linkedin,
  microsoft,
  reddit,
  roblox,
  spotify,
  tiktok,
  twitch,
  twitter,
  vk,
  zoom,
}
