import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A key pair that signs id tokens, with its public half in published form. */
export type KeySet = { readonly id: string; readonly privateKey: CryptoKey; readonly publicKey: JWK }

let made = 0

/** A new RSA pair with its own key id. */
export async function newKeySet(): Promise<KeySet> {
  made += 1
  const id = `key-${made}`
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { id, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid: id, alg: 'RS256', use: 'sig' } }
}
