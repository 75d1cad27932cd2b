import { PageHead } from '../parts/page-head.tsx'

export const CustomFieldPage = () => <PageHead title="CustomField" />
