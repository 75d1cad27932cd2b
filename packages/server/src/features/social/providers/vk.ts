import { z } from 'zod'
import type { MailLocale } from '../../../foundation/mail/templates.ts'
import {
  accountId,
  email,
  joinNames,
  name,
  picture,
  read,
  toProfile,
  withParameters,
} from '../protocol/profile-fields.ts'
import type { ProviderRow } from '../protocol/provider.ts'

/** VK's language numbers (specification, section 3, "Language codes"). */
const languages: Readonly<Record<MailLocale, string>> = {
  ru: '0',
  uk: '1',
  en: '3',
  es: '4',
  de: '6',
  pl: '15',
  fr: '16',
  tr: '82',
}

const answerShape = z.object({
  user: z.object({ user_id: accountId, first_name: name, last_name: name, email, avatar: picture }),
})

export const vk: ProviderRow = {
  name: 'VK',
  endpoints: {
    authorization: 'https://id.vk.ru/authorize',
    token: 'https://id.vk.ru/oauth2/auth',
    profile: 'https://id.vk.ru/oauth2/user_info',
  },
  // Telephone numbers need a manually granted right; requesting them without it breaks the page.
  scopes: ['vkid.personal_info', 'email'],
  // VK ID applications are public clients: PKCE replaces the secret, and VK refuses unknown parameters.
  clientSecret: async () => '',
  authorizationParams: ({ locale }) => ({ lang_id: languages[locale] }),
  tokenParams: ({ callback: { deviceId }, state }) => ({
    ...(deviceId !== undefined && { device_id: deviceId }),
    ...(state !== undefined && { state }),
  }),
  profile: async ({ ask, endpoints, options, tokens }) => {
    const form = { client_id: options.clientId, access_token: tokens.accessToken }
    // VK refuses with status 200 and without a user.
    const user = read(answerShape, await ask(withParameters(endpoints.profile), { form }))?.user
    return (
      user &&
      toProfile({
        id: user.user_id,
        name: joinNames(user.first_name, user.last_name),
        // `verified` is a page's badge; VK does not report whether the address was verified.
        email: user.email,
        image: user.avatar,
      })
    )
  },
}
