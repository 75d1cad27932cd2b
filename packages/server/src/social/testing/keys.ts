import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A pair that signs id tokens, and its public half as it is published. */
export type KeySet = { readonly id: string; readonly privateKey: CryptoKey; readonly publicKey: JWK }

let made = 0

/** A fresh RSA pair under a name of its own. */
export async function newKeySet(): Promise<KeySet> {
  made += 1
  const id = `key-${made}`
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { id, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid: id, alg: 'RS256', use: 'sig' } }
}
