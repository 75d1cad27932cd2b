import type { Feature } from '../../foundation/http/feature.ts'
import { pictures } from './picture.routes.ts'
import { readdressPictures } from './readdress.service.ts'

export const feature = {
  name: 'pictures',
  routes: { '/pictures': pictures },
  onStart: readdressPictures,
} as const satisfies Feature
