// dom.js - elements and text.
//
// Names come from files that are not trusted. They reach the page as text nodes
// and attribute values, never as HTML.

// Control characters and marks of direction, which would hide or reorder the
// text around them. The C code has already escaped them; this is a second check.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function plain(text) {
  return text.replace(HIDDEN, (c) =>
    '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children);
  return element;
}

// An element with attributes, listeners (functions) and children. Strings
// become text.
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag),
    attributes, children);
}

// A name: its direction does not spread to the text around it.
export function nameElement(text, className = '') {
  return make('bdi', { class: className || undefined }, plain(text));
}

let ids = 0;

// An id that no other element has.
export function newId() {
  return 'i' + ++ids;
}
