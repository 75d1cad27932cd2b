import { createCaptcha } from '@tollgate/react'
import { provideCaptcha } from './captcha-part.ts'

provideCaptcha(createCaptcha)
