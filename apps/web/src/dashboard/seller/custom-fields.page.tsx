import { PageHead } from '../parts/page-head.tsx'

export const CustomFieldsPage = () => <PageHead title="CustomFields" />
