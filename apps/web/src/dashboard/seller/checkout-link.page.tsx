import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { BillingBody, CheckoutLink } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall } from '../parts/api-command.ts'
import { Copyable } from '../parts/copy.tsx'
import { useDraft } from '../parts/draft.ts'
import { Editor } from '../parts/editor.tsx'
import { FieldErrors } from '../parts/field-errors.ts'
import { entriesOf, type MetadataEntry, metadataOf } from '../parts/metadata.ts'
import { MetadataEditor } from '../parts/metadata-editor.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Picked, Picker } from '../parts/picker.tsx'
import { answerOf } from '../queries/answer.ts'
import { itemQuery } from '../queries/billing.ts'
import { texts } from '../texts.ts'
import { checkoutLinksSearchIn } from './checkout-links.search.ts'
import { checkoutLinksWords, checkoutLinkWords as words } from './checkout-links.texts.ts'
import { BackTo, Detail } from './detail.tsx'
import { discountChoices, productChoices } from './lists.ts'
import { RemoveButton } from './remove-button.tsx'

const route = getRouteApi('/dashboard/$slug/checkout-links/$linkId')

/** The editor of a checkout link; `new` in the address makes one. */
export function CheckoutLinkPage() {
  const { billing, slug } = useSeller()
  const { linkId } = route.useParams()
  const { list = {}, trail = [] } = useLocation({ select: ({ state }) => state })
  const back = (
    <Link
      to="/dashboard/$slug/checkout-links"
      params={{ slug }}
      search={checkoutLinksSearchIn(list)}
      state={{ trail }}
      className="back"
    >
      <BackTo list={checkoutLinksWords.title} />
    </Link>
  )
  if (linkId === 'new') return <LinkEditor key="new" back={back} />
  const query = itemQuery(['checkout-link', linkId], (options) => billing.getCheckoutLink({ id: linkId }, options))
  return (
    <Detail query={query} back={back} words={words}>
      {(link) => <LinkEditor key={link.id} link={link} back={back} />}
    </Detail>
  )
}

/** A checkout link as the fields of its editor hold it. */
type LinkDraft = {
  readonly label: string
  readonly products: readonly Picked[]
  readonly discountId: string
  readonly codes: boolean
  readonly address: boolean
  readonly success: string
  readonly back: string
  readonly metadata: readonly MetadataEntry[]
}

const newLink = (): LinkDraft => ({
  label: '',
  products: [],
  discountId: '',
  codes: true,
  address: false,
  success: '',
  back: '',
  metadata: [],
})

const draftOf = (link: CheckoutLink): LinkDraft => ({
  label: link.label ?? '',
  products: link.products.map(({ id, name }) => ({ id, name })),
  discountId: link.discountId ?? '',
  codes: link.allowDiscountCodes,
  address: link.requireBillingAddress,
  success: link.successUrl ?? '',
  back: link.returnUrl ?? '',
  metadata: entriesOf(link.metadata),
})

/** What is sent. Throws FieldErrors, by the names that the server would use. */
function bodyOf(draft: LinkDraft): BillingBody<'createCheckoutLink'> {
  const errors = new Map<string, string>()
  if (draft.products.length === 0) errors.set('products', words.errors.products)
  const addressOf = (text: string, field: string): string | null => {
    if (text.trim() === '') return null
    if (!URL.canParse(text.trim())) errors.set(field, words.errors.address)
    return text.trim()
  }
  const body = {
    label: draft.label.trim() || null,
    products: draft.products.map(({ id }) => id),
    discountId: draft.discountId || null,
    allowDiscountCodes: draft.codes,
    requireBillingAddress: draft.address,
    successUrl: addressOf(draft.success, 'success_url'),
    returnUrl: addressOf(draft.back, 'return_url'),
    metadata: metadataOf(draft.metadata),
  }
  if (errors.size > 0) throw new FieldErrors(errors)
  return body
}

function LinkEditor({ link, back }: { link?: CheckoutLink; back: ReactNode }) {
  const { billing, slug, may, queries } = useSeller()
  const navigate = useNavigate()
  const { draft, isChanged, change, settle } = useDraft(() => (link ? draftOf(link) : newLink()))
  const discounts = useQuery({ ...discountChoices(billing), enabled: may('discount', 'read') })
  const mayWrite = may('product', 'write')
  // One that is chosen already stays among them, whether or not it is one of those that were listed.
  const known = discounts.data?.items ?? []
  const held = link?.discount
  const offered = held && !known.some(({ id }) => id === held.id) ? [held, ...known] : known
  const name = link ? (link.label ?? checkoutLinksWords.noLabel) : words.newTitle

  async function save(): Promise<string> {
    const body = bodyOf(draft)
    const saved = await answerOf(
      link ? billing.updateCheckoutLink({ id: link.id, ...body }) : billing.createCheckoutLink(body),
    )
    queries.setQueryData(['billing', 'checkout-link', saved.id], saved)
    const params = { slug, linkId: saved.id }
    if (link) settle(draftOf(saved))
    else void navigate({ to: '/dashboard/$slug/checkout-links/$linkId', params, ignoreBlocker: true })
    return link ? words.saved : words.created
  }

  return (
    <>
      <PageHead
        title={name}
        above={back}
        actions={
          link ? (
            <>
              <ApiCallButton calls={{ [checkoutLinksWords.calls.get]: apiCall('getCheckoutLink', { id: link.id }) }} />
              {mayWrite ? (
                <RemoveButton
                  words={words.remove}
                  name={name}
                  remove={() => answerOf(billing.deleteCheckoutLink({ id: link.id }))}
                  onRemoved={() =>
                    navigate({ to: '/dashboard/$slug/checkout-links', params: { slug }, ignoreBlocker: true })
                  }
                />
              ) : null}
            </>
          ) : null
        }
      />
      <Editor submit={link ? texts.form.save : words.create} isChanged={isChanged} mayWrite={mayWrite} save={save}>
        {(errorOf) => (
          <>
            <Panel title={words.details}>
              <div className="panel-fields">
                {link ? (
                  <dl className="facts flush">
                    <dt>{words.url}</dt>
                    <dd>
                      <Copyable text={link.url} what={words.url} />
                      <a href={link.url} target="_blank" rel="noopener" className="link with-icon">
                        {words.open}
                        <IconExternalLink size={15} stroke={1.6} aria-hidden />
                      </a>
                    </dd>
                    <dt>{words.id}</dt>
                    <dd>
                      <Copyable text={link.id} what={words.id} />
                    </dd>
                  </dl>
                ) : null}
                <TextInput
                  label={words.label}
                  description={words.labelHint}
                  autoComplete="off"
                  maxLength={256}
                  value={draft.label}
                  error={errorOf('label')}
                  onChange={(event) => change({ label: event.currentTarget.value })}
                />
                <Picker
                  label={words.productsLabel}
                  none={words.noProducts}
                  chosen={draft.products}
                  onChange={(products) => change({ products })}
                  query={productChoices(billing)}
                  pick={({ id, name: product }) => ({ id, name: product })}
                  isOrdered
                  error={errorOf('products')}
                />
              </div>
            </Panel>
            <Panel title={words.options}>
              <div className="panel-fields">
                <NativeSelect
                  label={words.discount}
                  data={[
                    { value: '', label: words.noDiscount },
                    ...offered.map((each) => ({ value: each.id, label: each.name })),
                  ]}
                  value={draft.discountId}
                  error={errorOf('discount_id')}
                  onChange={(event) => change({ discountId: event.currentTarget.value })}
                />
                <Checkbox
                  label={words.codes}
                  checked={draft.codes}
                  onChange={(event) => change({ codes: event.currentTarget.checked })}
                />
                <Checkbox
                  label={words.address}
                  checked={draft.address}
                  onChange={(event) => change({ address: event.currentTarget.checked })}
                />
              </div>
            </Panel>
            <Panel title={words.after}>
              <div className="panel-fields">
                <TextInput
                  type="url"
                  label={words.success}
                  description={words.successHint}
                  autoComplete="off"
                  maxLength={2048}
                  value={draft.success}
                  error={errorOf('success_url')}
                  onChange={(event) => change({ success: event.currentTarget.value })}
                />
                <TextInput
                  type="url"
                  label={words.back}
                  description={words.backHint}
                  autoComplete="off"
                  maxLength={2048}
                  value={draft.back}
                  error={errorOf('return_url')}
                  onChange={(event) => change({ back: event.currentTarget.value })}
                />
              </div>
            </Panel>
            <Panel title={texts.metadata.title}>
              <div className="panel-fields">
                <MetadataEditor
                  entries={draft.metadata}
                  onChange={(metadata) => change({ metadata })}
                  errorOf={errorOf}
                />
              </div>
            </Panel>
          </>
        )}
      </Editor>
    </>
  )
}
