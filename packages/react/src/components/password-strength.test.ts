import { expect, test } from 'vitest'
import { passwordStrength } from './password-strength.ts'

test.each([
  ['', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['12345678901234', 'weak'],
  ['qwertyuiop', 'weak'],
  ['abababababab', 'weak'],
  ['Password123', 'weak'],
  ['garden72', 'fair'],
  ['t7#Kp2m9', 'good'],
  ['brown fox 72', 'good'],
  ['correct horse battery staple', 'strong'],
  ['vK8$wq!Zr2#pLm5x', 'strong'],
])('"%s" is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength)
})
