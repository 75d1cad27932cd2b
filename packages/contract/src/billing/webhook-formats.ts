/** A webhook endpoint's format: the signed JSON of the API, or a message for a chat. */
export const webhookFormats = ['raw', 'discord', 'slack'] as const
export type WebhookFormat = (typeof webhookFormats)[number]
