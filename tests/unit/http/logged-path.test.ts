import { expect, it } from 'vitest'
import { loggedPath } from '../../../src/http/plugins/request-log.ts'

it.each([
  ['GET', '/api/public/share/WOOMLTfa12345678', '/api/public/share/WOOM…'],
  ['GET', '/fm/api/public/dl/WOOMLTfa/docs/a.txt', '/fm/api/public/dl/WOOM…/docs/a.txt'],
  ['GET', '/api/public/preview/big/WOOMLTfa/a/b.jpg', '/api/public/preview/big/WOOM…/a/b.jpg'],
  ['GET', '/api/public/subtitle/WOOMLTfa/film.srt', '/api/public/subtitle/WOOM…/film.srt'],
  ['GET', '/api/public/link/WOOMLTfa', '/api/public/link/WOOM…'],
  ['POST', '/api/public/tus/WOOMLTfa/film.mkv', '/api/public/tus/WOOM…/film…'],
  ['PATCH', '/fm/api/public/tus/WOOMLTfa/Qm3xT8vL0aWcE5sZ', '/fm/api/public/tus/WOOM…/Qm3x…'],
  ['GET', '/api/public/tus/own/Qm3xT8vL0aWcE5sZ', '/api/public/tus/own…/Qm3x…'],
  ['PUT', '/api/shares/WOOMLTfa', '/api/shares/WOOM…'],
  ['DELETE', '/api/share/WOOMLTfa/', '/api/share/WOOM…/'],
  ['GET', '/fm/share/WOOMLTfa/docs', '/fm/share/WOOM…/docs'],
  ['GET', '/fm/public/share/WOOMLTfa/docs', '/fm/public/share/WOOM…/docs'],
  ['GET', '/fm/public/dl/WOOMLTfa/docs', '/fm/public/dl/WOOM…/docs'],
  ['POST', '/api/public/share/WOOMLTfa', '/api/public/share/WOOM…'],
])('%s %s is logged as %s', (method, path, logged) => {
  expect(loggedPath(path, method)).toBe(logged)
})

it.each([
  ['POST', '/api/share/documents/a.txt'],
  ['GET', '/api/resources/share/documents'],
  ['GET', '/api/login'],
])('%s %s has no hash and stays', (method, path) => {
  expect(loggedPath(path, method)).toBe(path)
})
