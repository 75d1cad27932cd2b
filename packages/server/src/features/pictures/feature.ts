import type { Feature } from '../../foundation/http/feature.ts'
import { deleteUnshownPictures } from './picture.repository.ts'
import { pictures } from './picture.routes.ts'
import { readdressPictures } from './readdress.service.ts'

export const feature = {
  name: 'pictures',
  routes: { '/pictures': pictures },
  onStart: readdressPictures,
  sweep: (ctx) => ctx.transaction(deleteUnshownPictures),
  onClose: (ctx) => ctx.darkroom.close(),
} as const satisfies Feature
