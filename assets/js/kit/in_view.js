// Calls `tell(isInView)` now and whenever an element comes into the view or leaves it. Returns the observer.
export function watchView(element, tell, options) {
  // A busy page gets several entries of an element at once, oldest first.
  const observer = new IntersectionObserver((entries) => tell(entries[entries.length - 1].isIntersecting), options);
  observer.observe(element);
  return observer;
}
