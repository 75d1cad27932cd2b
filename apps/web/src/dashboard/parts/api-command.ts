import type { BillingCallInput, BillingClientCallName } from '@tollgate/client'
import { type BillingCall, billingCalls, billingPath, toWire } from '@tollgate/contract/billing'

/** A call of the billing API with what it is given; `apiCall` makes one, so that both belong together. */
export type ApiCall = { readonly name: BillingClientCallName; readonly input: Readonly<Record<string, unknown>> }

export const apiCall = <Name extends BillingClientCallName>(name: Name, input: BillingCallInput<Name>): ApiCall => ({
  name,
  input: input as Readonly<Record<string, unknown>>, // every input is an object
})

/** The call as a shell command. It reads the token from TOLLGATE_TOKEN, so that no secret is copied. */
export function curlOf(origin: string, { name, input }: ApiCall): string {
  const call: BillingCall = billingCalls[name]
  const rest = new Map(Object.entries(input))
  const path = call.path.replace(/:(\w+)/g, (_, key: string) => {
    const value = String(rest.get(key) ?? '')
    rest.delete(key)
    return encodeURIComponent(value)
  })
  const given = toWire(Object.fromEntries(rest)) as Readonly<Record<string, unknown>> // an object stays an object
  const hasBody = call.method !== 'GET' && call.method !== 'DELETE'
  const address = `${origin}${billingPath}${path}${hasBody ? '' : queryText(given)}`
  return [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${quoted(address)}`,
    `-H "Authorization: Bearer $TOLLGATE_TOKEN"`,
    ...(hasBody ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(given, null, 2))}`] : []),
  ].join(' \\\n  ')
}

function queryText(given: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === undefined ? [] : [[name, String(each)]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Quotes a text as one shell word. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
