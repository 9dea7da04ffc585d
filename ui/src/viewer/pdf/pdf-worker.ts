// Reads documents beside the page. PDF.js starts itself where there is no window.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
