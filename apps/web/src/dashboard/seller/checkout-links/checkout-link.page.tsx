import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { checkoutSchemas } from '@tollgate/contract/billing-schemas'
import type { BillingBody, CheckoutLink } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { apiCall } from '../../parts/api-command.ts'
import { BackLink, useWayBack } from '../../parts/back-link.tsx'
import { contractBody } from '../../parts/contract-body.ts'
import { Copyable } from '../../parts/copy.tsx'
import type { Fields } from '../../parts/draft.ts'
import { EditorPage } from '../../parts/editor-page.tsx'
import { entriesOf, type MetadataEntry, metadataOf } from '../../parts/metadata.ts'
import { OpenLink } from '../../parts/open-link.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { type Picked, Picker } from '../../parts/picker.tsx'
import { Waiting } from '../../parts/states.tsx'
import { listQuery } from '../../queries/billing.ts'
import { discountChoices, productChoices } from '../lists/lists.ts'
import { checkoutLinks } from './checkout-links.resource.ts'
import { checkoutLinksWords, checkoutLinkWords as words } from './checkout-links.texts.ts'

const route = getRouteApi('/dashboard/$slug/checkout-links/$linkId')

/** The editor of a checkout link; `new` in the address creates one. */
export function CheckoutLinkPage() {
  const { billing, slug, may } = useSeller()
  const { linkId } = route.useParams()
  const navigate = useNavigate()
  const back = (
    <BackLink to="/dashboard/$slug/checkout-links" params={{ slug }} {...useWayBack(checkoutLinks.searchIn)}>
      {checkoutLinksWords.title}
    </BackLink>
  )
  const products = useTwoProducts(linkId === 'new')
  if (products.isLoading) {
    return (
      <>
        <PageHead title={words.newTitle} above={back} />
        <Waiting label={words.loading} rows={8} />
      </>
    )
  }
  return (
    <EditorPage
      id={linkId}
      kind="checkout-link"
      read={billing.getCheckoutLink}
      words={words}
      back={back}
      mayWrite={may('product', 'write')}
      nameOf={({ label }) => label ?? checkoutLinksWords.noLabel}
      calls={({ id }) => ({ [checkoutLinksWords.calls.get]: apiCall('getCheckoutLink', { id }) })}
      newDraft={() => newLink(products.data?.items ?? [])}
      draftOf={draftOf}
      save={(draft, link) =>
        link ? billing.updateCheckoutLink({ id: link.id, ...bodyOf(draft) }) : billing.createCheckoutLink(bodyOf(draft))
      }
      onCreated={(id) =>
        navigate({ to: '/dashboard/$slug/checkout-links/$linkId', params: { slug, linkId: id }, ignoreBlocker: true })
      }
      removal={{
        words: words.remove,
        remove: billing.deleteCheckoutLink,
        onRemoved: () => navigate({ to: '/dashboard/$slug/checkout-links', params: { slug }, ignoreBlocker: true }),
      }}
    >
      {(fields, link) => <LinkFields {...fields} link={link} />}
    </EditorPage>
  )
}

const two = { limit: 2, isArchived: false }

/** As many products as it takes to see whether there is a choice. */
function useTwoProducts(enabled: boolean) {
  const { billing } = useSeller()
  return useQuery({ ...listQuery(['products', two], (options) => billing.listProducts(two, options)), enabled })
}

/** A checkout link as its editor's field values. */
type LinkDraft = {
  readonly label: string
  readonly products: readonly Picked[]
  readonly discountId: string
  readonly allowDiscountCodes: boolean
  readonly requireBillingAddress: boolean
  readonly successUrl: string
  readonly returnUrl: string
  readonly metadata: readonly MetadataEntry[]
}

/** Where there is one product only, that is what the link sells. */
const newLink = (products: readonly Picked[]): LinkDraft => ({
  label: '',
  products: products.length === 1 ? products.map(({ id, name }) => ({ id, name })) : [],
  discountId: '',
  allowDiscountCodes: true,
  requireBillingAddress: false,
  successUrl: '',
  returnUrl: '',
  metadata: [],
})

const draftOf = (link: CheckoutLink): LinkDraft => ({
  label: link.label ?? '',
  products: link.products.map(({ id, name }) => ({ id, name })),
  discountId: link.discountId ?? '',
  allowDiscountCodes: link.allowDiscountCodes,
  requireBillingAddress: link.requireBillingAddress,
  successUrl: link.successUrl ?? '',
  returnUrl: link.returnUrl ?? '',
  metadata: entriesOf(link.metadata),
})

/** The request body. Throws FieldErrors with the server's field names. */
function bodyOf(draft: LinkDraft): BillingBody<'createCheckoutLink'> {
  const body = {
    label: draft.label.trim() || null,
    products: draft.products.map(({ id }) => id),
    discountId: draft.discountId || null,
    allowDiscountCodes: draft.allowDiscountCodes,
    requireBillingAddress: draft.requireBillingAddress,
    successUrl: draft.successUrl.trim() || null,
    returnUrl: draft.returnUrl.trim() || null,
    metadata: metadataOf(draft.metadata),
  }
  const { products, address } = words.errors
  return contractBody<BillingBody<'createCheckoutLink'>>(checkoutSchemas.createCheckoutLink.body, body, {
    products,
    success_url: address,
    return_url: address,
  })
}

function LinkFields({ draft, change, errorOf, input, link }: Fields<LinkDraft> & { link: CheckoutLink | undefined }) {
  const { billing, may } = useSeller()
  const discounts = useQuery({ ...discountChoices(billing), enabled: may('discount', 'read') })
  // One that is chosen already stays among them, whether or not it is one of those that were listed.
  const known = discounts.data?.items ?? []
  const held = link?.discount
  const offered = held && !known.some(({ id }) => id === held.id) ? [held, ...known] : known
  return (
    <>
      <Panel title={words.details}>
        <div className="panel-fields">
          {link ? (
            <dl className="facts flush">
              <dt>{words.url}</dt>
              <dd>
                <Copyable text={link.url} what={words.url} />
                <OpenLink href={link.url}>{words.open}</OpenLink>
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
            {...input('label')}
          />
          <Picker
            label={words.productsLabel}
            none={words.noProducts}
            chosen={draft.products}
            onChange={(products) => change({ products })}
            query={productChoices(billing)}
            pick={({ id, name }) => ({ id, name })}
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
            {...input('discountId')}
          />
          <Checkbox label={words.codes} {...input('allowDiscountCodes', { type: 'checkbox' })} />
          <Checkbox label={words.address} {...input('requireBillingAddress', { type: 'checkbox' })} />
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
            {...input('successUrl')}
          />
          <TextInput
            type="url"
            label={words.back}
            description={words.backHint}
            autoComplete="off"
            maxLength={2048}
            {...input('returnUrl')}
          />
        </div>
      </Panel>
    </>
  )
}
