// A search tree: what was inserted is found.
// right: TRUE
// BUG: FALSE (unreach-call)  the search goes the wrong way for negative keys
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *tree, int key)
{
    if (tree == NULL) {
        tree = calloc(1, sizeof *tree);
        if (tree == NULL)
            exit(1);
        tree->key = key;
    } else if (key < tree->key) {
        tree->left = insert(tree->left, key);
    } else if (key > tree->key) {
        tree->right = insert(tree->right, key);
    }
    return tree;
}

static int contains(const struct tree *tree, int key)
{
    while (tree != NULL && tree->key != key)
#ifdef BUG
        tree = (unsigned)key < (unsigned)tree->key ? tree->left : tree->right;
#else
        tree = key < tree->key ? tree->left : tree->right;
#endif
    return tree != NULL;
}

int main(void)
{
    struct tree *root = NULL;
    int keys[3];
    for (int i = 0; i < 3; i++) {
        keys[i] = __VERIFIER_nondet_int();
        root = insert(root, keys[i]);
    }
    for (int i = 0; i < 3; i++)
        assert(contains(root, keys[i]));
    return 0;
}
