import type { EntranceClient } from '@tollgate/client'
import type { PageData } from '@tollgate/contract/pages'
import {
  AccountDeleted,
  ButtonLink,
  CheckoutClosed,
  ConfirmEmailChange,
  defaultPaths,
  ErrorPage,
  errorTexts,
  format,
  MagicLink,
  type Messages,
  organizationErrorTexts,
  Screen,
} from '@tollgate/react'
import { Frame } from './frame.tsx'
import type { PageTexts } from './texts.ts'

/** Static pages: the browser loads no script. */
export type StillData = PageData<
  | 'leaving'
  | 'magic-link'
  | 'error'
  | 'email-changed'
  | 'account-deleted'
  | 'not-found'
  | 'failure'
  | 'checkout-closed'
  | 'pay-closed'
>

export type StillProps = { data: StillData; messages: Messages; client: EntranceClient; texts: PageTexts }

export function StillPage(props: StillProps) {
  return (
    <Frame {...props}>
      <Content {...props} />
    </Frame>
  )
}

function Content({ data, messages, texts }: StillProps) {
  switch (data.page) {
    case 'error':
      return <ErrorPage {...data} />
    case 'magic-link':
      return <MagicLink {...data} />
    case 'leaving':
      return (
        <Screen
          title={format(messages.leaving.title, data.locale, { provider: data.provider })}
          text={messages.leaving.text}
        >
          <div data-tg="form">
            <ButtonLink href={data.url} look="primary" wide>
              {format(messages.providers.continueWith, data.locale, { provider: data.provider })}
            </ButtonLink>
          </div>
        </Screen>
      )
    case 'checkout-closed':
      return <CheckoutClosed {...data} />
    case 'pay-closed':
      return <Screen title={messages.payLink.closedTitle} text={messages.payLink.closedText} />
    case 'email-changed':
      return <ConfirmEmailChange {...data} />
    case 'account-deleted':
      return <AccountDeleted />
    case 'not-found':
      return (
        <Screen title={texts.notFoundTitle} text={texts.notFoundText}>
          <div data-tg="form">
            <ButtonLink href={defaultPaths.home} look="primary" wide>
              {messages.common.returnToApp}
            </ButtonLink>
          </div>
        </Screen>
      )
    case 'failure':
      return (
        <Screen title={texts.failureTitle} alert={failureText(data.code, messages)}>
          <div data-tg="form">
            <ButtonLink href={data.address} look="primary" wide>
              {texts.tryAgain}
            </ButtonLink>
          </div>
        </Screen>
      )
  }
}

/** The sentence of a code, as far as it needs no numbers. */
function failureText(code: string, { errors, organizationErrors }: Messages): string {
  const texts: Readonly<Record<string, unknown>> = { ...errors, ...organizationErrors }
  const text = texts[(organizationErrorTexts[code] ?? errorTexts[code])?.text ?? 'unexpected']
  return typeof text === 'string' ? text : errors.unexpected
}
